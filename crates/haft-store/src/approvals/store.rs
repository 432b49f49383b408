//! What approvals need of a store.

use std::fmt::Debug;

use super::{Binding, Grant, Request, Spent, StoreError, Ticket, TicketId};
use crate::Moment;

/// Holds questions, answers and what was spent.
///
/// Every operation is atomic, also between processes that share a store, and done when it returns: what the store says
/// survives a crash that comes later. Operations are short but may wait for a disk; a caller that must not wait calls
/// them on a thread that may. What has expired counts as gone, and is removed as others are written.
///
/// An error never means yes: whoever gets one does not run the call.
pub trait Store: Debug + Send + Sync {
    /// Puts a question and says under which ticket. When the very same call was asked about before and that is not
    /// over, this is the ticket of then in its state, and nothing new.
    ///
    /// # Errors
    ///
    /// When too many questions wait, of this principal or of all; when the question is too long to be read or would be
    /// over at once; when the store cannot be used.
    fn ask(&self, request: &Request<'_>, now: Moment) -> Result<Ticket, StoreError>;

    /// All tickets that are not over, the oldest first.
    ///
    /// # Errors
    ///
    /// When the store cannot be used.
    fn tickets(&self, now: Moment) -> Result<Vec<Ticket>, StoreError>;

    /// The one ticket whose id is or begins with `id`, as [`TicketId`] says how it is read.
    ///
    /// # Errors
    ///
    /// When there is none or more than one, when `id` is too short or no id; when the store cannot be used.
    fn find(&self, id: &str, now: Moment) -> Result<Ticket, StoreError>;

    /// Says yes to a question that waits, in the name of `by`, and returns the ticket as it is now.
    ///
    /// # Errors
    ///
    /// When there is no such ticket, when it has its answer, when the grant would be over at once; when the store
    /// cannot be used.
    fn allow(&self, id: &TicketId, grant: Grant, by: &str, now: Moment) -> Result<Ticket, StoreError>;

    /// Says no until `expires`, in the name of `by`: to a question that waits, or to take back a grant.
    ///
    /// # Errors
    ///
    /// When there is no such ticket, when it is denied already, when `expires` is over; when the store cannot be used.
    fn deny(&self, id: &TicketId, by: &str, expires: Moment, now: Moment) -> Result<Ticket, StoreError>;

    /// Asks to run the call of `binding` now. Of all who ask with a grant for one run, exactly one is told
    /// [`Spent::Granted`], and by then it is durable that the grant is used up. So call this before the run: a crash
    /// between the two loses the grant and never lets the call run twice.
    ///
    /// # Errors
    ///
    /// When the store cannot be used.
    fn spend(&self, binding: &Binding, now: Moment) -> Result<Spent, StoreError>;

    /// Uses up a value that counts once, such as the nonce of sealed state: true the first time, false from then on
    /// and when `expires` is over. It is remembered until `expires`, which must be no earlier than the moment
    /// from which the value is refused anyway.
    ///
    /// # Errors
    ///
    /// When too many are remembered; when the store cannot be used.
    fn spend_nonce(&self, nonce: &[u8], expires: Moment, now: Moment) -> Result<bool, StoreError>;
}
