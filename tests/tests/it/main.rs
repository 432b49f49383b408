//! The integration tests, in one binary so that they link once.

#[cfg(feature = "peers")]
mod approvals;
mod architecture;
#[cfg(feature = "peers")]
mod conformance;
mod corpus;
#[cfg(feature = "peers")]
mod home;
#[cfg(feature = "peers")]
mod interop;
#[cfg(feature = "peers")]
mod public_servers;
#[cfg(feature = "peers")]
mod servers;
mod transcripts;
