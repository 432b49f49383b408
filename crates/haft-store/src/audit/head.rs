//! The head of a writer's log: a file that says where it ends, so that a cut is seen.

use std::io;

use super::AuditError;
use super::folder::{Place, unusable};
use super::keys::Keys;
use super::scan::{Break, Fault};
use super::seal::Position;
use crate::private;

/// Where the log of a writer ends, by its head; `None` where there is none.
pub(super) fn read(place: &Place, keys: &Keys) -> Result<Option<Position>, AuditError> {
    let path = place.head();
    let content = match private::small(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        content => content.map_err(unusable(&path))?,
    };
    let text = String::from_utf8(content).unwrap_or_default();
    let position = Position::parse(&text).filter(|position| position.head(&place.writer(), keys) == text);
    position.map(Some).ok_or_else(|| broken(place, Fault::Forged))
}

/// Puts a head in the place of the one before. Which of the two a crash leaves does not matter: the batches between them
/// are on the disk, and each has a code of its own.
pub(super) fn write(place: &Place, keys: &Keys, position: &Position) -> io::Result<()> {
    private::replace(&place.head(), position.head(&place.writer(), keys).as_bytes())
}

/// Something is wrong with the head of a writer.
pub(super) fn broken(place: &Place, fault: Fault) -> AuditError {
    AuditError::Broken(Box::new(Break { file: place.head(), first: 1, last: 1, fault }))
}
