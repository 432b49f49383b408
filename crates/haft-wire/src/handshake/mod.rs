//! The codec of the handshake era: 2024-11-05 to 2025-11-25.

mod decode;
mod encode;

pub(crate) use decode::{decode, request_meta};
pub(crate) use encode::{encode, error};
