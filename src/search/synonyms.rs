//! Words that may stand for one another. A question is often asked in other words than those that were written down.
//!
//! Everyday words and those of people who build software, in English. Each line is a group; a word may be in several.

use std::collections::HashMap;
use std::sync::LazyLock;

use rust_stemmers::{Algorithm, Stemmer};

/// In base form; both sides are compared by stem.
const GROUPS: &str = "\
abort cancel stop interrupt
accident mistake error
account user profile
add introduce create
afraid fear scared
agree decide settle accept
airplane plane flight
allow permit enable
angry annoyed upset furious
apartment flat condo
appointment visit consultation
artefact artifact file binary
attach append
auth authentication login signin
authorization permission access role
backend server
bag handbag purse backpack luggage
banner notice message
begin start launch startup boot
behaviour behavior
bicycle bike cycling
big large huge bulky heavy
bill invoice payment
block hang stall freeze
book novel reading
boss manager supervisor
bought purchase buy order
branch fork
brother sister sibling
browser webpage
buffer batch
bug defect issue problem
build compile compilation
button key
cache memoize
callback hook handler
car vehicle auto
cat dog pet
cause reason culprit
certificate cert tls
chart graph diagram plot
chat conversation session transcript dialogue
check verify validate test
child kid son daughter
cinema movie film
class lesson course
cli terminal console shell
client consumer frontend
cloud hosted saas
clothes outfit shirt dress
code source
collect gather
column field
combine merge join unify consolidate
comment remark annotation
commit push
company firm employer business
compare diff comparison
complete whole full
compress gzip zip
computer laptop pc machine
conclusion outcome result finding
config configuration settings option preference
confirm approve
connect link
container docker
contribution patch pr
convert transform translate conversion
cook recipe bake cooking
copy duplicate clone
corrupt damaged broken malformed invalid
cost price expense spend fee
count number total amount
crash panic segfault exception
create make generate produce
credential token secret key password
customer client buyer
damage broken corrupt
danger risk hazard pitfall
dashboard panel overview
database db sqlite postgres
date day deadline
debug troubleshoot diagnose
decide choose pick select
default standard
degree diploma graduate study
delay latency lag wait
delete remove drop erase
dependency library package module
deploy release ship publish rollout
describe document explain
design layout
detect notice discover
dictionary map hash
directory folder dir
disable suppress hide mute
dislike hate complain
divide split separate partition
doc docs documentation manual readme
doctor physician clinic hospital
done finished completed
doubled duplicate twice
download fetch pull
draft proposal
drop remove discard
early premature
edit modify change alter
email mail e-mail
embed include
empty blank null
endpoint route api url
energy electricity power
enter return
environment env
error failure exception fault
estimate guess
event trigger
exercise workout gym fitness training
expire expiry ttl timeout
export dump
extension plugin addon
external outside third-party
fail break crash
fast quick speed performance
feature capability
feedback review opinion
field member property attribute
filter exclude
find search locate lookup
fix repair solve resolve correct
flag switch option parameter
flat apartment
flow pipeline workflow
font typeface
forbid ban prohibit disallow
format style layout
forward redirect proxy
friend buddy
function method routine
garden plant
gift present
global user-level
goal aim purpose objective
grow increase expand
guide tutorial
hardware device
hide conceal
history log record
hit match result
holiday vacation trip travel
home house apartment
hook callback
hotel accommodation airbnb stay
icon logo
id identifier key
identical same equal
ignore skip
image picture photo screenshot
implement build
import load
improve enhance optimize
index reindex
infinite endless
inform notify alert
input argument parameter
inspect examine review
install setup
integration provider adapter connector
interface api ui
internal private
invite invitation
issue ticket
job work occupation career position
journey trip travel
kill terminate stop
label tag
language locale translation i18n
late delay overdue
launch start run
layer tier level
lazy deferred
leak exposure
library dependency
limit cap maximum threshold
line row
link url permalink uri
list enumerate
listen subscribe watch
live current running
location place path where
lock mutex
log logging trace
login signin
lose lost missing
machine host computer
manager boss
mark flag
marriage wedding
meal dinner lunch breakfast
mean average
measure benchmark metric
medicine medication drug
meeting call appointment
member field
memory ram
message prompt
method approach
migrate move switch transfer migration
missing absent lacking
mistake error wrong accident
mobile phone ios android
modal dialog popup
monitor watcher watch daemon
move relocate
movie film
name title
naming convention
narrow restrict
neighbor neighbour
network connection internet
notify notification alert
number figure count statistic
offline disconnected
old stale outdated legacy
order sequence sorting
origin source
outage down unavailable offline
overwrite clobber replace
owner user maintainer
package bundle
pair match correlate
paper article
parent mother father mom dad
parse parser parsing
partner wife husband spouse girlfriend boyfriend
password credential secret
pause wait sleep
performance speed latency
phone mobile smartphone
photo picture image
picker selector chooser
picture image
plan roadmap strategy
poll polling
port portability
preview peek
price cost
print output display show
private secret internal
privacy gdpr
problem issue trouble
process handle
profile account
progress counter status
project repo
promise future
prompt question
provider integration vendor agent
pull fetch
quadratic slow
query search
question ask query
queue broker kafka rabbitmq
quote cite
random arbitrary
range span interval
reader viewer
reason why cause
reasoning thinking thought
rebuild reconstruct regenerate restore
receipt invoice
record log trace entry
recover restore
redact mask scrub
reduce shrink decrease
refer reference cite mention
refuse reject decline deny
regression broke
relevance ranking score
remember recall
remote hosted
remove delete strip
rename renaming
repair fix
report complaint
repo repository
request call
require need
restaurant cafe diner
restart relaunch
resume continue
retention keep
retry backoff
review audit
rotate rotation
rule guideline convention policy
sample example
save store persist write
scan walk traverse
schedule cron timetable
school college university
score rank
screen display window
script job
search lookup find
secret credential
section part
select choose
send post upload
sensitive secret
server backend
session conversation
setting option
shape form
share publish
shop store
short brief concise
shortcut keybinding hotkey
show display print
shutdown exit quit
sick ill disease
signature sign
silent quiet mute
simple easy
size length bytes
skip ignore omit
slow latency performance delay
snippet excerpt preview
sort order rank
spawn launch
spec specification
stage phase
stale outdated
statistic metric stat number summary
storage disk
store save
structure struct layout
style convention
subscription plan
suggest recommend propose
summary overview digest statistic
support help
symlink link
sync synchronize upload
table grid
tag label
task todo job
team group crew
temporary temp
terminal console tui cli
test check spec
theme color
thread worker
tidy clean cleanup
time timestamp clock hour
timezone utc
title name heading
tool utility
topic subject
trace log
transcript conversation log
tree hierarchy
trip vacation travel
truncate cut shorten
type kind
typo misspelling
unify merge
unknown unrecognized unsupported
unneeded unnecessary redundant
update upgrade refresh
upload sync push
url link
user customer
vacuum cleanup
validate verify
variable env
version release
video clip
view page
wait block
warning warn
watch monitor follow
wedding marriage
whitespace space
window pane
withdraw remove retract
wizard setup
workaround hack
worker thread
wrapper launcher
write save
yardstick reference standard benchmark";

/// The lines of the groups that a stem is in.
type ByStem = HashMap<String, Vec<&'static str>>;

/// The other words of a word's groups; `stem` is that of the word.
pub(super) fn of(stem: &str) -> impl Iterator<Item = &'static str> {
    static GROUPS_OF: LazyLock<ByStem> = LazyLock::new(|| {
        let stemmer = Stemmer::create(Algorithm::English);
        let mut groups = ByStem::new();
        for group in GROUPS.lines() {
            for word in group.split(' ') {
                groups.entry(stemmer.stem(word).into_owned()).or_default().push(group);
            }
        }
        groups
    });
    let groups = GROUPS_OF.get(stem).into_iter().flatten();
    groups.flat_map(|group| group.split(' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_leads_to_those_of_its_group_in_any_form() {
        let stem = Stemmer::create(Algorithm::English).stem("directories").into_owned();
        assert!(of(&stem).any(|word| word == "folder"));
        assert_eq!(of("zebra").count(), 0);
    }

    #[test]
    fn no_group_has_a_word_twice() {
        for group in GROUPS.lines() {
            let mut words: Vec<&str> = group.split(' ').collect();
            words.sort_unstable();
            words.dedup();
            assert_eq!(words.len(), group.split(' ').count(), "{group}");
            assert!(words.len() > 1 && words.iter().all(|word| !word.is_empty()), "{group}");
        }
    }
}
