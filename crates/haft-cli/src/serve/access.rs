//! Who may call over HTTP: whoever has the token, or everybody who reaches a local address.

use std::fmt;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use haft_core::{Identify, Principal};
use haft_diag::Diagnostic;
use haft_transport::http::Address;

use crate::arguments::Serve;
use crate::environment;
use crate::failure::Failure;
use crate::state;

/// Who may call.
#[derive(Debug)]
pub(super) enum Access {
    /// Everybody who reaches the address.
    Everybody,
    /// This user, on a socket in the file system.
    ThisUser,
    /// Whoever has the token.
    Token(Token, Origin),
}

/// A secret; it is shown on purpose only.
pub(crate) struct Token(String);

/// Where a token comes from.
#[derive(Debug)]
pub(super) enum Origin {
    /// `HAFT_TOKEN`.
    Environment,
    /// `--token-file`.
    File(PathBuf),
    /// Made here, and kept in this folder for the next start.
    State(PathBuf),
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[secret]")
    }
}

impl Token {
    /// Checks that a client can send it in a header, and that it is no word that somebody guesses.
    pub(crate) fn parse(text: &str) -> Result<Self, &'static str> {
        let token = text.trim_ascii();
        if token.is_empty() {
            return Err("it is empty");
        }
        // RFC 6750, section 2.1: what may stand behind `Bearer`.
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte);
        if !token.bytes().all(fits) {
            return Err("it has a character outside of `A-Z a-z 0-9 - . _ ~ + / =`");
        }
        if token.len() < SHORTEST {
            return Err("it is shorter than 16 characters");
        }
        Ok(Self(token.to_owned()))
    }

    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl Access {
    /// What is served all the same, but should not be so.
    pub(super) fn warning(&self) -> Option<Diagnostic> {
        let Self::Token(_, Origin::File(path)) = self else { return None };
        let is_open = fs::metadata(path).is_ok_and(|metadata| metadata.permissions().mode() & 0o077 != 0);
        let diagnostic = Diagnostic::warning("other users of this machine may read the token");
        is_open.then(|| diagnostic.in_file(path.display().to_string()).hint("`chmod 600` keeps it to you"))
    }

    /// How the server tells callers apart.
    pub(super) fn identify(&self) -> Identify {
        match self {
            Self::Everybody => Identify::anonymous(),
            Self::ThisUser => {
                let uid = rustix::process::getuid().as_raw();
                Identify::nobody().with_uid(uid, Principal::person("uid", uid.to_string()))
            }
            Self::Token(token, _) => Identify::nobody().with_token(&token.0, Principal::client("token", "haft")),
        }
    }
}

/// Decides who may call, and refuses what would be open to the network.
pub(super) fn decide(serve: &Serve, address: &Address, manifest: &Path) -> Result<Access, Failure> {
    let from_environment = environment::variable("HAFT_TOKEN");
    if serve.no_auth {
        if address.is_on_network() {
            let diagnostic =
                Diagnostic::error(format!("`--no-auth` at `{address}` would let other machines call the tools"));
            return Err(diagnostic.hint(ASK_FOR_A_TOKEN).into());
        }
        if from_environment.is_some() {
            let diagnostic = Diagnostic::error("`--no-auth` does not ask for the token that `HAFT_TOKEN` sets");
            return Err(diagnostic.hint("leave out one of the two: `env -u HAFT_TOKEN haft serve --no-auth`").into());
        }
        return Ok(Access::Everybody);
    }
    if let Some(path) = &serve.token_file {
        return read(path).map(|token| Access::Token(token, Origin::File(path.clone())));
    }
    if let Some(text) = from_environment {
        let token = Token::parse(&text)
            .map_err(|reason| Diagnostic::error("`HAFT_TOKEN` is no usable token").cause(reason).hint(MAKE_ONE))?;
        return Ok(Access::Token(token, Origin::Environment));
    }
    if matches!(address, Address::Unix(_)) {
        return Ok(Access::ThisUser);
    }
    if address.is_on_network() {
        let diagnostic = Diagnostic::error(format!("other machines reach `{address}`, and no token is set for them"));
        return Err(diagnostic.hint(ASK_FOR_A_TOKEN).into());
    }
    let folder = state::folder(serve.state.as_deref(), manifest)?;
    Ok(Access::Token(state::token(&folder)?, Origin::State(folder)))
}

fn read(path: &Path) -> Result<Token, Failure> {
    let shown = path.display().to_string();
    let text = fs::read_to_string(path)
        .map_err(|error| Diagnostic::error("cannot read the token").in_file(shown.clone()).cause(error.to_string()))?;
    let token = Token::parse(&text).map_err(|reason| {
        Diagnostic::error("the file has no usable token").in_file(shown).cause(reason).hint(MAKE_ONE)
    })?;
    Ok(token)
}

const ASK_FOR_A_TOKEN: &str = "set `HAFT_TOKEN` or `--token-file`, or listen at 127.0.0.1";
const MAKE_ONE: &str = "`openssl rand -hex 32` makes one";
const SHORTEST: usize = 16;

#[cfg(test)]
mod tests {
    use super::Token;

    #[test]
    fn a_token_is_what_a_header_can_carry_and_nobody_guesses() {
        for text in ["0123456789abcdef", " Aa0-._~+/=Aa0-._~+/=\n"] {
            assert_eq!(Token::parse(text).unwrap().reveal(), text.trim());
        }
        for text in ["", "\n", "0123456789abcde", "0123456789 abcdef", "0123456789äbcdefg", "0123456789abcdef\r\nx: y"]
        {
            assert!(Token::parse(text).is_err(), "{text:?}");
        }
        assert_eq!(format!("{:?}", Token::parse("0123456789abcdef").unwrap()), "[secret]");
    }
}
