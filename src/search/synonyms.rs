//! Words that people who build software use for one another.

/// Each line is a group; one word stands for the others at a lower weight.
const GROUPS: &str = "\
auth authentication login signin
authorization permission permissions
bug defect issue problem
cause reason
config configuration settings
crash panic
db database
delete remove
dir directory folder
doc docs documentation
env environment
error failure exception
fast quick speed performance
slow latency performance
freeze hang stall
function method
id identifier
image picture
library dependency package
picker selector
repo repository
return enter
server backend
session conversation
shortcut keybinding
source code
spec specification
test tests testing
token credential
agree decide
choose pick select
monitor watcher
user-level global
";

/// The other words of a word's groups.
pub(super) fn of(word: &str) -> impl Iterator<Item = &'static str> {
    GROUPS
        .lines()
        .filter(move |group| group.split(' ').any(|other| other == word))
        .flat_map(|group| group.split(' '))
        .filter(move |other| *other != word)
}
