//! What the project's tasks share with its tests: the snapshot of the public API.

pub mod api;
