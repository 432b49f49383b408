//! Test support.

mod binary;
mod peers;
mod program;
mod transcript;

pub use binary::{haft_binary, program, repository};
pub use peers::{PeerCall, PeerReport, Preference, Target, converse, converse_answering, peer_program};
pub use program::{Ended, Running, run_to_end};
pub use transcript::{Transcript, matches};
