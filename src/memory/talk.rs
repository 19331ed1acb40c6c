//! What was said in an entry: its turns, and the passages of them that tell something.
//!
//! An entry may be a captured conversation, a conversation typed by hand (`Maria: …`), or notes that nobody in particular
//! says. All are read into [`Sitting`]s of [`Turn`]s, and these are cut into [`Passage`]s of about a line each, weighed by
//! what they say and where they stand. Digests and ROOT.md choose among them.

mod commits;
mod cues;
mod listing;
mod main_clause;
mod negation;
mod noise;
mod not_said;
mod of_git;
mod packer;
mod passage;
mod replaced;
mod reread;
mod review;
mod role;
mod sentences;
mod setting;
mod speakers;
mod standing_rule;
mod statement;
mod stress;
mod telegram;
mod telling;
mod terms;
mod thin;
mod title;
mod turns;
mod withdrawn;
mod written_rule;

pub(crate) use commits::{add_commits, is_kind_of_change};
pub(crate) use cues::{Cue, cue, is_narration};
pub(crate) use negation::{Word, clauses, negates, turns_back, words};
pub(crate) use noise::{is_frame, is_of_device, is_pasted};
pub(crate) use not_said::arguments;
pub(crate) use packer::{LINE, PASSAGE};
pub(crate) use passage::{Cutter, Passage, Role, Sayer, code_path};
pub(crate) use replaced::{Replaced, replaced};
pub(crate) use reread::remember;
pub(crate) use review::is_of_review;
pub(crate) use sentences::{pieces, sentences};
pub(crate) use setting::{Setting, settings};
pub(crate) use speakers::Speakers;
pub(crate) use standing_rule::{is_for_now, is_standing_rule, only_tells, replaces};
pub(crate) use statement::{Chosen, add_statements, best};
pub(crate) use telegram::{plain, telegram};
pub(crate) use terms::{Rarity, terms};
pub(crate) use thin::{MOST, thin};
pub(crate) use title::title;
pub(crate) use turns::{Sitting, Turn, Voice, read};
