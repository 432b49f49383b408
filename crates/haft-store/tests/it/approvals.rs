//! What a store says of questions, answers and calls that want to run; the same for both kinds.

use haft_store::{Call, Digest, Grant, Limits, Moment, Request, Spent, State, Store, StoreError};

use crate::stores::{MINUTE, NOW, ask, call, grant_once, request, with_each};

fn spend(store: &dyn Store, call: Call<'_>, now: Moment) -> Spent {
    store.spend(&call.binding(), now).unwrap()
}

fn is_granted(store: &dyn Store, call: Call<'_>, now: Moment) -> bool {
    matches!(spend(store, call, now), Spent::Granted(_))
}

#[test]
fn a_grant_for_one_run_is_given_out_once() {
    with_each(Limits::default(), |store| {
        let ticket = grant_once(store, call());
        assert_eq!(spend(store, call(), NOW), Spent::Granted(Box::new(ticket)));
        assert_eq!(spend(store, call(), NOW), Spent::Unasked);
        assert!(store.tickets(NOW).unwrap().is_empty());
    });
}

#[test]
fn a_grant_is_for_the_very_call_that_was_shown() {
    let other = Digest::from_bytes([8; 32]);
    let others = [
        ("other principal", Call { principal: "person\nuid\n1001", ..call() }),
        ("other source", Call { source: "file", ..call() }),
        ("other tool", Call { tool: "write_files", ..call() }),
        ("changed definition", Call { definition: other, ..call() }),
        ("other arguments", Call { arguments: r#"{"path":"/data/b"}"#, ..call() }),
        ("moved boundary", Call { source: "fileswrite", tool: "_file", ..call() }),
    ];
    with_each(Limits::default(), |store| {
        grant_once(store, call());
        for (name, other) in others {
            assert_eq!(spend(store, other, NOW), Spent::Unasked, "{name}");
        }
        assert!(is_granted(store, call(), NOW));
    });
}

#[test]
fn a_grant_ends_when_it_says() {
    for grant in [Grant::Once { expires: NOW.plus(MINUTE) }, Grant::Repeated { expires: NOW.plus(MINUTE) }] {
        with_each(Limits::default(), |store| {
            let ticket = ask(store, call());
            store.allow(&ticket.id, grant, "ann", NOW).unwrap();
            assert_eq!(spend(store, call(), NOW.plus(MINUTE)), Spent::Unasked);
            assert!(store.tickets(NOW.plus(MINUTE)).unwrap().is_empty());
        });
    }
}

#[test]
fn a_longer_grant_serves_every_identical_call_until_it_is_taken_back() {
    with_each(Limits::default(), |store| {
        let ticket = ask(store, call());
        store.allow(&ticket.id, Grant::Repeated { expires: NOW.plus(60 * MINUTE) }, "ann", NOW).unwrap();
        for minute in [0, 1, 59] {
            assert!(is_granted(store, call(), NOW.plus(minute * MINUTE)));
        }
        let denied = store.deny(&ticket.id, "bob", NOW.plus(90 * MINUTE), NOW).unwrap();
        assert_eq!(denied.state, State::Denied { by: "bob".to_owned() });
        assert_eq!(spend(store, call(), NOW.plus(80 * MINUTE)), Spent::Denied(Box::new(denied)));
        assert_eq!(spend(store, call(), NOW.plus(90 * MINUTE)), Spent::Unasked);
    });
}

#[test]
fn the_same_question_has_one_ticket_until_it_is_over() {
    with_each(Limits::default(), |store| {
        let first = ask(store, call());
        assert_eq!(ask(store, call()), first);
        assert_eq!(spend(store, call(), NOW), Spent::Waiting(Box::new(first.clone())));
        let denied = store.deny(&first.id, "ann", NOW.plus(MINUTE), NOW).unwrap();
        assert_eq!(ask(store, call()), denied, "who was denied is not asked about again");
        let later = NOW.plus(MINUTE);
        let second = store.ask(&request(call()), later).unwrap();
        assert_ne!(second.id, first.id);
        assert_eq!(second.state, State::Waiting);
        assert_eq!(store.tickets(later).unwrap(), [second]);
    });
}

#[test]
fn a_question_is_answered_once() {
    with_each(Limits::default(), |store| {
        let once = Grant::Once { expires: NOW.plus(MINUTE) };
        let granted = grant_once(store, call());
        let again = store.allow(&granted.id, Grant::Repeated { expires: NOW.plus(MINUTE) }, "bob", NOW).unwrap_err();
        assert!(matches!(again, StoreError::Settled { state: "granted", .. }));
        let denied = ask(store, Call { tool: "other", ..call() });
        store.deny(&denied.id, "ann", NOW.plus(MINUTE), NOW).unwrap();
        for error in [
            store.allow(&denied.id, once, "bob", NOW).unwrap_err(),
            store.deny(&denied.id, "bob", NOW.plus(MINUTE), NOW).unwrap_err(),
        ] {
            assert!(matches!(error, StoreError::Settled { state: "denied", .. }));
        }
        assert!(is_granted(store, call(), NOW));
        let spent = store.allow(&granted.id, once, "bob", NOW).unwrap_err();
        assert!(matches!(spent, StoreError::UnknownTicket { .. }), "a ticket that was used up is not granted again");
    });
}

#[test]
fn an_answer_that_comes_too_late_is_an_error() {
    with_each(Limits::default(), |store| {
        let ticket = ask(store, call());
        let late = NOW.plus(10 * MINUTE);
        let grant = Grant::Once { expires: late.plus(MINUTE) };
        let error = store.allow(&ticket.id, grant, "ann", late).unwrap_err();
        assert!(matches!(error, StoreError::UnknownTicket { .. }), "{error}");
        let ticket = store.ask(&Request { expires: late.plus(MINUTE), ..request(call()) }, late).unwrap();
        let over = store.allow(&ticket.id, Grant::Once { expires: late }, "ann", late).unwrap_err();
        assert_eq!(over.to_string(), "expires at 2027-01-15T08:10:00.000Z, which is over");
        assert!(matches!(store.ask(&request(Call { tool: "x", ..call() }), late), Err(StoreError::Expired { .. })));
    });
}

#[test]
fn a_ticket_is_found_by_its_beginning() {
    with_each(Limits::default(), |store| {
        let tickets: Vec<_> =
            (0..20).map(|index| ask(store, Call { principal: &index.to_string(), ..call() })).collect();
        for ticket in &tickets {
            let text = ticket.id.to_string();
            for typed in [&text, &text.to_lowercase(), &text[..20]] {
                assert_eq!(store.find(typed, NOW).unwrap(), *ticket);
            }
            assert!(store.find(&text[..3], NOW).is_err());
            assert!(store.find(&text, NOW.plus(10 * MINUTE)).is_err());
        }
        for text in ["", "%", "____", "'; --", "UUUU", "\u{1b}[31m"] {
            assert!(matches!(store.find(text, NOW), Err(StoreError::TicketId(_))), "{text:?}");
        }
        let listed = store.tickets(NOW).unwrap();
        assert_eq!(listed.len(), tickets.len());
        assert!(listed.is_sorted_by_key(|ticket| (ticket.created, ticket.id)));
    });
}

#[test]
fn what_is_asked_is_bounded_and_nothing_that_counts_makes_room() {
    let mut limits = Limits::default();
    (limits.waiting_of_one, limits.waiting, limits.tickets, limits.nonces) = (2, 3, 4, 2);
    let numbered = |principal: &'static str, tool| Call { principal, tool, ..call() };
    with_each(limits, |store| {
        let full = |call, expected| match store.ask(&request(call), NOW) {
            Err(StoreError::Full { limit, .. }) => assert_eq!(limit, expected),
            other => panic!("{other:?}"),
        };
        let first = ask(store, numbered("a", "1"));
        ask(store, numbered("a", "2"));
        full(numbered("a", "3"), 2);
        let third = ask(store, numbered("b", "3"));
        full(numbered("c", "4"), 3);
        assert_eq!(ask(store, numbered("a", "1")), first, "a known question needs no room");
        for ticket in [&first, &third] {
            store.allow(&ticket.id, Grant::Once { expires: NOW.plus(MINUTE) }, "ann", NOW).unwrap();
        }
        ask(store, numbered("b", "4"));
        full(numbered("b", "5"), 4);
        assert!(is_granted(store, numbered("a", "1"), NOW));
        ask(store, numbered("b", "5"));

        let ends = NOW.plus(MINUTE);
        assert!(store.spend_nonce(b"1", ends, NOW).unwrap() && store.spend_nonce(b"2", ends, NOW).unwrap());
        assert!(matches!(store.spend_nonce(b"3", ends, NOW), Err(StoreError::Full { limit: 2, .. })));
        assert!(!store.spend_nonce(b"1", ends, NOW).unwrap());
        assert!(store.spend_nonce(b"3", ends.plus(MINUTE), ends).unwrap(), "what is over makes room");
    });
}

#[test]
fn a_nonce_counts_once_and_never_after_its_end() {
    with_each(Limits::default(), |store| {
        let ends = NOW.plus(MINUTE);
        let spent = |nonce: &[u8], now| store.spend_nonce(nonce, ends, now).unwrap();
        assert!(spent(b"one", NOW));
        assert!(!spent(b"one", NOW) && !spent(b"one", NOW.plus(MINUTE / 2)));
        assert!(spent(b"on", NOW) && spent(b"", NOW) && spent(&[0; 5000], NOW));
        assert!(!spent(b"new", ends));
        assert!(!spent(b"one", ends), "forgotten, and refused because it is over");
    });
}

#[test]
fn what_a_person_is_shown_deceives_nobody() {
    let hostile = "a\n\u{1b}[2J\u{202e}b\u{200b}";
    let harmless = r"a\n\u{1b}[2J\u{202e}b\u{200b}";
    with_each(Limits::default(), |store| {
        let call = Call { source: hostile, tool: hostile, arguments: hostile, ..call() };
        let question = Request { caller: hostile, server: hostile, rule: hostile, ..request(call) };
        let ticket = store.ask(&question, NOW).unwrap();
        store.allow(&ticket.id, Grant::Once { expires: NOW.plus(MINUTE) }, hostile, NOW).unwrap();
        let shown = store.find(&ticket.id.to_string(), NOW).unwrap();
        for text in [shown.source, shown.tool, shown.arguments, shown.caller, shown.server, shown.rule] {
            assert_eq!(text, harmless);
        }
        assert!(matches!(shown.state, State::Granted { by, .. } if by == harmless));
        assert!(is_granted(store, call, NOW), "it is bound to the text as it came");
    });
}

#[test]
fn a_question_that_nobody_can_read_through_is_not_asked() {
    let mut limits = Limits::default();
    limits.question_bytes = 1000;
    with_each(limits, |store| {
        let long = "x".repeat(1000);
        let error = store.ask(&request(Call { arguments: &long, ..call() }), NOW).unwrap_err();
        assert!(matches!(error, StoreError::TooLarge { limit: 1000, .. }), "{error}");
        assert_eq!(error.to_string().find("xx"), None);
        assert!(store.tickets(NOW).unwrap().is_empty());
        let ticket = ask(store, call());
        let grant = Grant::Once { expires: NOW.plus(MINUTE) };
        assert!(store.allow(&ticket.id, grant, &"y".repeat(2000), NOW).is_err());
    });
}
