//! The codec of the stateless era: 2026-07-28.

mod decode;
mod encode;

pub(crate) use decode::{decode, request_meta, shared};
pub(crate) use encode::{acknowledged, encode, error, listen_ended, subscription_meta, version_data};
