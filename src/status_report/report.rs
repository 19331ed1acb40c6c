//! What `status` reports, as `--json` prints it.

use chrono::{DateTime, FixedOffset, NaiveDate, TimeDelta};
use serde::Serialize;

use super::agents::Agent;
use super::saved::Saved;
use super::secrets::Secrets;
use super::silence::Silence;
use super::today::Today;
use super::unmerged::Unmerged;
use super::unsaved::Unsaved;
use crate::hooks::off::Off;
use crate::hooks::recalled::RecallWeek;
use crate::import::by_hand::GoneFolder;
use crate::import::missing::Missing;
use crate::import::receipt::LastReceipt;
use crate::meaning::page::PageContents as Shown;
use crate::meaning::page::owner::PageOwner;
use crate::memory::survey::Survey;
use crate::plan::Note;
use crate::setup::health::Health;
use crate::summaries::background::BackgroundReport;

/// Whether all is well.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ProjectState {
    /// nothing was said in it yet
    #[default]
    Fresh,
    /// what is in it was brought in by hand, and no hook has run yet
    Ready,
    /// what is said is saved
    Healthy,
    /// something keeps what is said from being saved, or from being found
    NotHealthy,
}

/// Something that needs doing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Need {
    /// what to type, or what to do where no command does it
    pub(crate) command: String,
    /// why, in a few words
    pub(crate) why: String,
    /// whether it can be left as it is
    pub(crate) may_stay: bool,
}

/// How long a problem of a hook is shown on the screen.
pub(super) const LATELY: TimeDelta = TimeDelta::days(7);

/// Everything `status` knows. Fields are only ever added: `--json` prints them.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Report {
    pub(crate) version: &'static str,
    pub(crate) project: String,
    pub(crate) now: DateTime<FixedOffset>,
    pub(crate) state: ProjectState,
    /// what is wrong, the worst first
    pub(crate) wrong: Vec<String>,
    pub(crate) saved: Option<Saved>,
    /// files of the memory that keep what is said from being written down
    pub(crate) cannot_save: Vec<Note>,
    /// sessions of this project that are not saved, or not to their end, latest first
    pub(crate) unsaved: Vec<Unsaved>,
    /// clients that have said nothing for longer than six hours although they were used
    pub(crate) silence: Vec<Silence>,
    pub(crate) today: Today,
    /// sessions that the user keeps out of the memory
    pub(crate) off: Option<Off>,
    /// the size of all logs, in bytes
    pub(crate) log_bytes: u64,
    pub(crate) agents: Vec<Agent>,
    pub(crate) secrets: Secrets,
    /// whether the redaction rules of today have not looked through what was written before
    pub(crate) unscrubbed: bool,
    /// what was forgotten and is in the logs again, in entries and turns
    pub(crate) came_back: usize,
    /// turns of a shared memory that are in backups alone, latest day first
    pub(crate) unmerged: Vec<Unmerged>,
    /// what needs doing, the most urgent first
    pub(crate) needs: Vec<Need>,
    #[serde(flatten)]
    pub(crate) memory: Survey,
    pub(crate) hot_files: Vec<HotFile>,
    pub(crate) root: Option<RootReport>,
    pub(crate) updated: Option<DateTime<FixedOffset>>,
    pub(crate) last_summary: Option<String>,
    /// why a model should summarise now, if it should
    pub(crate) due: Option<String>,
    /// what summaries in the background do, where they are written so
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) background: Option<BackgroundReport>,
    /// what went wrong in hooks lately, oldest first
    pub(crate) hooks: Vec<String>,
    /// of these, what went wrong within the last seven days
    #[serde(skip)]
    pub(crate) lately: Vec<String>,
    /// what an agent was told of the memory in the last seven days
    pub(crate) recall: RecallWeek,
    /// when the hook of each event last fired, latest first
    pub(crate) fired: Vec<(String, String)>,
    pub(crate) config: Vec<Note>,
    /// sessions in the clients' stores that are not in the memory
    pub(crate) past_sessions: Option<Missing>,
    /// what `status --receipt` last came to
    pub(crate) receipt: Option<LastReceipt>,
    /// folders that are gone in which sessions were held, and may have been worktrees of the project
    pub(crate) gone_folders: Vec<GoneFolder>,
    pub(crate) installation: Option<Health>,
}

/// Who wrote ROOT.md.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum WrittenBy {
    Program,
    Model,
    Person,
}

/// Whose ROOT.md is, and what is in it.
#[derive(Debug, Serialize)]
pub(crate) struct RootReport {
    /// a person has edited it, or a model wrote it
    pub(crate) theirs: bool,
    pub(crate) by: WrittenBy,
    /// since when
    pub(crate) since: Option<NaiveDate>,
    /// as it stands
    pub(crate) tokens: u32,
    /// the most it may have
    pub(crate) cap: u32,
    #[serde(flatten)]
    pub(crate) standing: Shown,
}

impl RootReport {
    pub(super) fn new(owner: PageOwner, tokens: u32, cap: u32, standing: Shown) -> Self {
        let (by, since) = match owner {
            PageOwner::Program => (WrittenBy::Program, None),
            PageOwner::Model(day) => (WrittenBy::Model, Some(day)),
            PageOwner::Person(since) => (WrittenBy::Person, since),
        };
        Self { theirs: by != WrittenBy::Program, by, since, tokens, cap, standing }
    }
}

/// A file that is loaded in every session.
#[derive(Debug, Serialize)]
pub(crate) struct HotFile {
    pub(crate) path: &'static str,
    pub(crate) lines: u64,
    pub(crate) target: u64,
}
