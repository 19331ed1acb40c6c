//! What the logs mean: what was said, asked, settled, concluded and pasted.
//!
//! [`session`] reads an entry of a log into turns, [`noise`] judges lines, [`sentence`] and [`passage`] cut what is
//! left, [`lexicon`] finds words and phrases in it, [`settled`] tells what a person decided, [`weigh`] has the weights
//! and [`choose`] takes the lines that there is room for. Made of these: [`title`], [`head`] and [`mod@extract`].
//!
//! Of nodes [`facts`] reads what they state, and [`page`] makes ROOT.md of it.

pub(crate) mod choose;
pub(crate) mod extract;
pub(crate) mod facts;
pub(crate) mod head;
pub(crate) mod lexicon;
pub(crate) mod line_label;
pub(crate) mod noise;
pub(crate) mod page;
pub(crate) mod passage;
pub(crate) mod script;
pub(crate) mod sentence;
pub(crate) mod session;
pub(crate) mod settled;
pub(crate) mod title;
pub(crate) mod told;
pub(crate) mod weigh;
pub(crate) mod words;
