//! The least that a server can do and still answer right: parse, look up, compute, write. No header is checked, nothing is
//! validated, nobody is asked. What haft costs beyond this is haft's.

pub mod call;
pub mod http;
pub mod stdio;
