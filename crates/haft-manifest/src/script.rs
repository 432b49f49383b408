//! Programs that read one of their arguments as a program: no text of a caller goes in there.

use haft_diag::Diagnostic;

use crate::argument::{Argument, Kind};
use crate::argv::Argv;
use crate::report::Report;

/// Reports every text that would be placed into a script, where it would be parsed and not taken as a value.
///
/// The interpreter may stand behind another program that starts it: `env`, `nice`, `find -exec`.
pub(crate) fn refuse_values(program: &str, argv: &Argv, arguments: &[Argument], report: &mut Report) {
    let mut interpreter = find(program);
    let mut is_script = false;
    for slot in argv.slots() {
        let text = slot.template.arguments().filter_map(|index| arguments.get(index));
        let text = text.into_iter().find(|argument| matches!(argument.kind, Kind::Text | Kind::Path(_)));
        // The script may also stand in one item with its option.
        let attached = slot.template.leading_literal().trim_end_matches('=');
        let is_attached = interpreter.is_some_and(|(_, options)| options.contains(&attached));
        if let (true, Some((name, _)), Some(argument)) = (is_script || is_attached, interpreter, text) {
            let placed = &argument.name;
            let message = format!("`{name}` would run the value of `{placed}` as part of its script");
            let hint = format!(
                "hand it on as an argument: `[\"sh\", \"-c\", \"wc -l -- \\\"$1\\\"\", \"sh\", \"{{{placed}}}\"]`"
            );
            report.add(slot.place.clone(), Diagnostic::error(message).hint(hint));
        }
        let literal = slot.template.literal();
        interpreter = literal.and_then(find).or(interpreter);
        is_script = interpreter.is_some_and(|(_, options)| literal.is_some_and(|text| takes_script(text, options)));
    }
}

/// The interpreter that a name or path stands for, and its options that take a script.
fn find(program: &str) -> Option<(&'static str, &'static [&'static str])> {
    let name = program.rsplit('/').next().unwrap_or(program);
    let name = name.trim_end_matches(|character: char| character.is_ascii_digit() || character == '.');
    INTERPRETERS
        .iter()
        .find_map(|(names, options)| Some((names.iter().find(|known| **known == name).copied()?, *options)))
}

/// `-c`, also among other letters: `-ec`.
fn takes_script(option: &str, options: &[&str]) -> bool {
    options.iter().any(|known| match known.strip_prefix('-') {
        Some(letter) if letter.len() == 1 => {
            option.strip_prefix('-').is_some_and(|letters| !letters.starts_with('-') && letters.contains(letter))
        }
        _ => option == *known,
    })
}

const INTERPRETERS: [(&[&str], &[&str]); 8] = [
    (&["sh", "ash", "bash", "dash", "fish", "ksh", "mksh", "zsh"], &["-c", "--command"]),
    (&["python", "pypy"], &["-c"]),
    (&["perl", "ruby", "lua"], &["-e", "-E"]),
    (&["node", "nodejs", "bun", "deno"], &["-e", "-p", "--eval", "--print", "eval"]),
    (&["php"], &["-r"]),
    (&["env"], &["-S", "--split-string"]),
    (&["su", "runuser"], &["-c", "--command"]),
    (&["pwsh"], &["-c", "-Command"]),
];
