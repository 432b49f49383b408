#!/usr/bin/env bash
# Installs the real clients and servers that haft is tested against, and the conformance suite, at pinned versions.
#
#   tests/peers/setup.sh [PEER…]     all of them without an argument
#
# They go into $HAFT_PEERS (default: .peers at the top of the repository). A second run only checks that nothing changed.
# Each becomes one program, $HAFT_PEERS/bin/PEER; README.md beside this file says how they are called.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
peers=${HAFT_PEERS:-$top/.peers}
# The first is a build, which goes on beside the downloads of the others.
all=(
    rmcp node conformance
    python-mcp fastmcp typescript-sdk typescript-client typescript-server inspector
    server-everything server-filesystem server-memory server-playwright server-sequential-thinking
    server-git server-sqlite server-time
)

say() { printf 'peers: %s\n' "$*" >&2; }
fail() {
    printf 'error: %s\nhint: %s\n' "$1" "$2" >&2
    exit 2
}
need() { command -v "$1" >/dev/null 2>&1 || fail "\`$1\` is not installed" "$2"; }

# True where $1's installation was finished from the same lock file $2.
is_current() {
    local stamp="$peers/$1/.installed"
    [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$(sha256sum <"$2")" ]
}
finished() { sha256sum <"$2" >"$peers/$1/.installed"; }

# Writes the program $1, which runs the command in the other arguments.
launcher() {
    local program="$peers/bin/$1" words
    shift
    words=$(printf '%q ' "$@")
    printf '#!/bin/sh\nexec %s"$@"\n' "$words" >"$program.new"
    chmod +x "$program.new"
    mv "$program.new" "$program"
}

python_folder() {
    local name=$1 requirements="$here/$1/requirements.txt"
    if ! is_current "$name" "$requirements"; then
        need python3 "apt-get install python3 python3-venv"
        say "$name: installing $(grep -c == "$requirements") packages"
        rm -rf "${peers:?}/$name"
        python3 -m venv "$peers/$name" ||
            fail "\`python3 -m venv\` failed" "apt-get install python3-venv"
        "$peers/$name/bin/pip" install --quiet --disable-pip-version-check --no-deps --requirement "$requirements" ||
            fail "$name could not be installed" "is PyPI reachable, and is python3 3.11 or newer?"
        "$peers/$name/bin/pip" check >/dev/null || fail "$name lacks a dependency" "update $requirements"
        finished "$name" "$requirements"
    fi
}

# A client and a server of one package.
python_peer() {
    python_folder "$1"
    launcher "$1" "$peers/$1/bin/python" -B "$here/$1/client.py"
    launcher "$1-server" "$peers/$1/bin/python" -B "$here/$1/server.py"
}

# Somebody else's server: its own program $2.
python_server() {
    python_folder "$1"
    launcher "$1" "$peers/$1/bin/python" -B "$peers/$1/bin/$2"
}

npm_folder() {
    local name=$1 lock="$here/$1/package-lock.json"
    is_current "$name" "$lock" && return
    need npm "apt-get install npm"
    say "$name: installing $(grep -c '"integrity"' "$lock") packages"
    rm -rf "${peers:?}/$name"
    mkdir -p "$peers/$name"
    cp "$here/$name/package.json" "$lock" "$peers/$name/"
    # Engines are judged by the Node below, not by the one that runs npm.
    (cd "$peers/$name" && npm ci --ignore-scripts --engine-strict=false --no-audit --no-fund --loglevel=error) >&2 ||
        fail "$name could not be installed" "is the npm registry reachable?"
    finished "$name" "$lock"
}

# Script and packages lie apart, so that an edit needs no installation: Node is told not to follow the links.
node_peer() {
    local name=$1 script=$2
    needs_node
    npm_folder "$name"
    ln -sfn "$here/contract.mjs" "$peers/contract.mjs"
    ln -sfn "$here/$name/$script" "$peers/$name/$script"
    launcher "$name" "$peers/bin/node" --preserve-symlinks --preserve-symlinks-main "$peers/$name/$script"
}

# Somebody else's server: its own program $2.
node_server() {
    needs_node
    npm_folder "$1"
    launcher "$1" "$peers/bin/node" "$peers/$1/node_modules/.bin/$2"
}

needs_node() { [ -x "$peers/bin/node" ] || install_peer node; }

install_peer() {
    case $1 in
    node)
        npm_folder node
        [ -x "$peers/node/node_modules/.bin/node" ] ||
            fail "there is no pinned Node for $(uname -sm)" "add its npm package to tests/peers/node/package.json"
        launcher node "$peers/node/node_modules/.bin/node"
        ;;
    python-mcp | fastmcp) python_peer "$1" ;;
    typescript-sdk | typescript-client | inspector) node_peer "$1" client.mjs ;;
    typescript-server) node_peer "$1" server.mjs ;;
    server-everything | server-filesystem | server-memory | server-sequential-thinking) node_server "$1" "mcp-$1" ;;
    server-playwright) node_server "$1" playwright-mcp ;;
    server-git | server-sqlite | server-time) python_server "$1" "mcp-$1" ;;
    conformance)
        needs_node
        npm_folder conformance
        launcher conformance "$peers/bin/node" \
            "$peers/conformance/node_modules/@modelcontextprotocol/conformance/dist/index.js"
        ;;
    rmcp)
        need cargo "install Rust from https://rustup.rs"
        say "rmcp: building"
        cargo build --quiet --locked --manifest-path "$here/rmcp/Cargo.toml" --target-dir "$peers/rmcp/target" ||
            fail "the rmcp peers could not be built" "see the compiler's messages above"
        launcher rmcp "$peers/rmcp/target/debug/haft-peer-rmcp"
        launcher rmcp-server "$peers/rmcp/target/debug/haft-peer-rmcp-server"
        ;;
    esac
}

[ $# -gt 0 ] || set -- "${all[@]}"
for peer in "$@"; do
    case " ${all[*]} " in
    *" $peer "*) ;;
    *) fail "no peer is named \`$peer\`" "one of: ${all[*]}" ;;
    esac
done
need sha256sum "apt-get install coreutils"
mkdir -p "$peers/bin"
peers=$(cd "$peers" && pwd)
build=
trap '[ -z "$build" ] || kill "$build" 2>/dev/null || true' EXIT
for peer in "$@"; do
    if [ "$peer" = rmcp ]; then
        install_peer rmcp &
        build=$!
    else
        install_peer "$peer"
        say "$peer: ready"
    fi
done
if [ -n "$build" ]; then
    # What went wrong was said when it did.
    wait "$build" || exit 2
    build=
    say "rmcp: ready"
fi
say "$# peers in $peers/bin"
