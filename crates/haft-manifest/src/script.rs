//! Programs that read one of their arguments as a program: no text of a caller goes in there.

use haft_diag::Diagnostic;

use crate::argument::{Argument, Kind};
use crate::argv::Argv;
use crate::report::Report;

/// Reports every text that would be placed into a script, where it would be parsed and not taken as a value.
pub(crate) fn refuse_values(program: &str, argv: &Argv, arguments: &[Argument], report: &mut Report) {
    let name = program.rsplit('/').next().unwrap_or(program);
    let name = name.trim_end_matches(|character: char| character.is_ascii_digit() || character == '.');
    let Some((_, options)) = INTERPRETERS.iter().find(|(names, _)| names.contains(&name)) else { return };
    let slots: Vec<_> = argv.slots().collect();
    for pair in slots.windows(2) {
        let [option, script] = pair else { continue };
        let is_script = option.template.literal().is_some_and(|option| takes_script(option, options));
        let mut texts = script.template.arguments().filter_map(|index| arguments.get(index));
        let text = texts.find(|argument| matches!(argument.kind, Kind::Text | Kind::Path(_)));
        if let Some(argument) = text.filter(|_| is_script) {
            let message = format!("`{name}` would run the value of `{}` as part of its script", argument.name);
            let hint = format!("hand it on as an argument: `[\"sh\", \"-c\", \"wc -l -- \\\"$1\\\"\", \"sh\", \"{{{}}}\"]`", argument.name);
            report.add(script.place.clone(), Diagnostic::error(message).hint(hint));
        }
    }
}

/// `-c`, also among other letters: `-ec`.
fn takes_script(option: &str, options: &[&str]) -> bool {
    options.iter().any(|known| match known.strip_prefix('-') {
        Some(letter) if letter.len() == 1 => {
            option.strip_prefix('-').is_some_and(|letters| !letters.starts_with('-') && letters.ends_with(letter))
        }
        _ => option == *known,
    })
}

const INTERPRETERS: [(&[&str], &[&str]); 6] = [
    (&["sh", "ash", "bash", "dash", "fish", "ksh", "mksh", "zsh"], &["-c", "--command"]),
    (&["python", "pypy"], &["-c"]),
    (&["perl", "ruby", "lua"], &["-e", "-E"]),
    (&["node", "nodejs", "bun", "deno"], &["-e", "-p", "--eval", "--print", "eval"]),
    (&["php"], &["-r"]),
    (&["pwsh"], &["-c", "-Command"]),
];
