//! The log, on stderr.

use haft_diag::Diagnostic;
use tracing_subscriber::EnvFilter;

use crate::environment;
use crate::failure::Failure;
use crate::printer::{Printer, log_writer};

/// Begins to log: warnings, more with `-v` and `-vv`, or what `HAFT_LOG` says.
pub(crate) fn begin(verbose: u8, printer: Printer) -> Result<(), Failure> {
    let filter = match environment::variable("HAFT_LOG").filter(|filter| !filter.is_empty()) {
        Some(filter) => EnvFilter::try_new(&filter).map_err(|error| {
            Diagnostic::error("`HAFT_LOG` is no log filter")
                .cause(error.to_string())
                .hint("`HAFT_LOG=info` or `HAFT_LOG=haft_core=debug,haft_child=trace`")
        })?,
        None => EnvFilter::new(match verbose {
            0 => "warn",
            1 => "info",
            _ => "debug",
        }),
    };
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(log_writer).with_ansi(printer.is_coloured()).init();
    Ok(())
}
