//! Members that other hosts know and that haft does not act on, each with what that means.

use haft_diag::escape;

/// One sentence for the members that nobody asked for, or several when they need an explanation.
pub(super) fn notes(place: &str, keys: Vec<&str>) -> Vec<String> {
    let mut explained: Vec<(&str, Vec<&str>)> = Vec::new();
    for key in keys {
        let why = MEANINGS.iter().find(|(keys, _)| keys.contains(&key)).map_or(UNKNOWN, |(_, why)| *why);
        match explained.iter_mut().find(|(known, _)| *known == why) {
            Some((_, keys)) => keys.push(key),
            None => explained.push((why, vec![key])),
        }
    }
    let sentence = |(why, keys): (&str, Vec<&str>)| {
        let shown: Vec<String> = keys.iter().take(MOST).map(|key| format!("`{}`", escape(key))).collect();
        let more = if keys.len() > MOST { format!(" and {} more", keys.len() - MOST) } else { String::new() };
        format!("{place}: {}{more} {why}", shown.join(", "))
    };
    explained.into_iter().map(sentence).collect()
}

const MEANINGS: &[(&[&str], &str)] = &[
    (
        &["autoApprove", "alwaysAllow", "trust", "default_tools_approval_mode", "tools", "chatApprovals"],
        "not used: what may run unasked is for haft's policy to say",
    ),
    (
        &["includeTools", "excludeTools", "enabled_tools", "disabled_tools", "disabledTools", "enabledTools"],
        "not used: all tools are listed",
    ),
    (&["args", "cwd", "env", "envFile", "env_vars"], "not used: a server with a URL is not started here"),
    (
        &["headers", "http_headers", "env_http_headers", "bearer_token_env_var"],
        "not used: a program is sent no headers",
    ),
    (&["timeout", "startup_timeout_ms", "networkTimeout"], "not used: hosts count it in different units"),
    (
        &["oauth", "auth", "scopes", "oauth_resource", "authProviderType"],
        "not used: haft sends the headers it is given",
    ),
    (&["sandbox", "sandboxEnabled"], "not used: the program runs without that host's sandbox"),
    (
        &[
            "dev",
            "gallery",
            "version",
            "description",
            "name",
            "icon",
            "required",
            "supports_parallel_tool_calls",
            "experimental_environment",
            "settings",
            "$schema",
            "note",
            "extensionName",
        ],
        "not used",
    ),
];
const UNKNOWN: &str = "unknown, not used";
const MOST: usize = 20;
