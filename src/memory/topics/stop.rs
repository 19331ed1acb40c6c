//! English words that say nothing about a subject, chat pleasantries included.
//!
//! Only English: a list for every language would swallow words of this one (`die`, `war`, `pour`), and
//! the weights push down whatever is common in a memory anyway.

/// Lower-case, with and without apostrophes as people type them.
const WORDS: &str = "\
a able about above across actually after again against ago all almost along already alright also although always am \
among an and another any anybody anyone anything anyway apart are aren't around as ask asked asking asks at away \
back basically be became because become been before begin behind being below besides best better between beyond bit \
both but by came can can't cannot cause certain certainly clearly come comes coming consider could couldn't course \
did didn't different do does doesn't doing don't done down during each easily easy either else enough especially \
etc even ever every everybody everyone everything exactly example except far feel few find first following for \
found from full further gave general generally get gets getting give given gives giving go goes going gone gonna \
good got great guess had happen happens hardly has hasn't have haven't having he he'd he'll he's hello help helped \
helpful helping helps her here here's hers herself hey hi him himself his hope how how's however i i'd i'll i'm \
i've if important in include included includes including indeed information inside instead interested interesting into \
is isn't it it'd it'll it's its itself just keep keeps kept kind knew know known knows lastly later least less let let's \
like liked likely likes little long look looked looking looks lot lots made main mainly make makes making many may \
maybe me mean means meant mention mentioned might mine more moreover most mostly much must my myself near nearly \
necessary need needed needs neither never new next no nobody none nor not nothing now number obviously of off often \
oh ok okay old on once one ones only onto or other others otherwise ought our ours ourselves out over overall own \
part particular particularly per perhaps please possible possibly pretty previous previously probably provide \
provided provides put quite rather re real really recent recently recommend recommendation recommendations regarding \
right said same saw say saying says see seem seemed seems seen several shall she she'd she'll she's should \
shouldn't show shown shows simply since so some somebody somehow someone something sometimes somewhat soon sorry \
sort specific specifically still stuff such suggest suggested suggestion suggestions sure take taken takes taking \
tell than thank thanks that that'd that'll that's the their theirs them themselves then there there'd there'll \
there's therefore these they they'd they'll they're they've thing things think thinking this those though thought \
thoughts through throughout thus till tip tips to together told too took toward towards tried tries truly try trying \
turn type under understand unless until unlike up upon us use used useful user uses using usual usually various very via \
want wanted wanting wants was wasn't way ways we we'd we'll we're we've welcome well went were weren't what what's \
whatever when when's whenever where where's whereas wherever whether which while who who's whoever whole whom whose \
why will willing with within without won't wonder wondering work worked working works would wouldn't yeah yes yet \
you you'd you'll you're you've your yours yourself yourselves \
arent cant couldnt didnt doesnt dont hasnt havent hadnt hadn't ill im isnt ive lets shouldnt thats theres wasnt \
werent whats wont wouldnt youre youve ain't aint wanna gotta \
assistant answer answers answered question questions additionally furthermore finally firstly secondly \
absolutely definitely amazing awesome fantastic wonderful excellent glad happy love enjoy today yesterday tomorrow";

/// Every stop word.
pub(super) fn words() -> impl Iterator<Item = &'static str> {
    WORDS.split_ascii_whitespace()
}
