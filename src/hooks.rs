//! What agents' hooks need beside what they run: their input, what they go by, what they remember, and what the start
//! of a session says.

mod answer;
pub(crate) mod call;
pub(crate) mod caller;
pub(crate) mod fired;
pub(crate) mod in_force;
pub(crate) mod log;
pub(crate) mod off;
pub(crate) mod recalled;
pub(crate) mod session_start;
pub(crate) mod stdin;
pub(crate) mod telling;
pub(crate) mod told;
