//! What `init`, `update`, `uninstall` and `status` do about an installation beyond the pure plan of [`crate::install`]:
//! look at the project and the machine, carry a plan out, say what is left to do.

pub(crate) mod apply;
pub(crate) mod detect;
pub(crate) mod health;
pub(crate) mod past_summaries;
pub(crate) mod plugin;
pub(crate) mod preset;
pub(crate) mod private;
pub(crate) mod program;
pub(crate) mod scan;
pub(crate) mod share;
pub(crate) mod steps;
pub(crate) mod summaries;
pub(crate) mod user;
pub(crate) mod worktrees;
