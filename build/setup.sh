# What ./dev needs on the machine, one function per thing; each does nothing when it is already there. Sourced by ./dev.

CACHE="${XDG_CACHE_HOME:-$HOME/.cache}/vramfit"
TOOLS="$CACHE/tools"
TRUNK_VERSION=0.21.14
FUZZ_VERSION=0.13.2
WASM=wasm32-unknown-unknown
# Debian's second Rust: its compiler, and the source of its standard library.
WEB_RUST=(rustc-web cargo-web rust-web-src rust-web-clippy)

# Its linker's package carries the number of its LLVM.
LLD_BY_HAND="sudo apt-get install -y \"lld-\$(/usr/bin/rustc -vV | sed -n 's/^LLVM version: \\([0-9]*\\).*/\\1/p')\""

say() { printf '\033[1m%s\033[0m\n' "vramfit: $*" >&2; }

# give_up WHAT COMMAND...: what is missing, and the exact commands that bring it.
give_up() {
    printf '\nvramfit: %s\n' "$1" >&2
    shift
    [ $# -eq 0 ] || printf 'Run this, then the same ./dev command again:\n\n' >&2
    [ $# -eq 0 ] || printf '    %s\n' "$@" >&2
    exit 1
}

has() { command -v "$1" >/dev/null 2>&1; }

# logged NAME COMMAND...: runs it quietly; shows the end of what it printed only when it fails.
logged() {
    local log="$CACHE/log/$1.log"
    shift
    mkdir -p "$CACHE/log"
    if ! "$@" >"$log" 2>&1; then
        tail -n 30 "$log" >&2
        say "that failed; the whole log is $log"
        return 1
    fi
}

# locked FUNCTION...: two ./dev in two clones share the cache and must not fill it at the same time.
locked() {
    mkdir -p "$CACHE"
    if has flock; then
        ( flock 9; "$@" 9>&- ) 9>"$CACHE/lock"
    else
        ( "$@" )
    fi
}

# --- Debian's packages ---

has_package() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo -n "$@"; fi
}

# debian PACKAGE...: installs those that are missing.
debian() {
    local missing=() package
    has dpkg-query || give_up "this system has no Debian packages, so these must be installed by hand: $*"
    for package; do has_package "$package" || missing+=("$package"); done
    [ ${#missing[@]} -gt 0 ] || return 0
    local by_hand=("sudo apt-get update" "sudo apt-get install -y --no-install-recommends ${missing[*]}")
    [ "${missing[0]}" != "${WEB_RUST[0]}" ] || by_hand+=("$LLD_BY_HAND")
    as_root true 2>/dev/null || give_up "installing Debian's packages needs root." "${by_hand[@]}"
    say "installing ${missing[*]} (about a minute, once)"
    local install=(as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}")
    # The package lists may be missing or old; they are read again only then.
    "${install[@]}" >/dev/null 2>&1 && return 0
    logged apt-update as_root apt-get update || true
    logged apt-install "${install[@]}" || give_up "Debian's packages ${missing[*]} can't be had." "${by_hand[@]}"
}

# --- Rust ---

need_rust() {
    has cargo || give_up "Rust is missing. Install it with rustup (https://rustup.rs), or from your distribution (1.88 or later)."
}

# The name of the core library; that of std has no hash when it was built from source.
has_wasm_std() { compgen -G "$1/lib/rustlib/$WASM/lib/libcore-*.rlib" >/dev/null; }

# Where the standard library for wasm32 stands that was built for Debian's rustc, if that is installed.
web_sysroot() {
    [ -x /usr/bin/rustc ] || return 1
    printf '%s/sysroot-%s' "$CACHE" "$(/usr/bin/rustc --version | tr -c 'A-Za-z0-9.\n' _)"
}

# Builds that standard library from Debian's source; the 21 libraries of one clean build, put in place at once.
build_web_sysroot() {
    local sysroot source work
    sysroot=$(web_sysroot)
    has_wasm_std "$sysroot" && return 0
    source=$(find /usr/src -maxdepth 1 -name 'rustc-*' | sort -V | tail -n 1)
    work="$sysroot.work"
    rm -rf "$work"
    say "building Rust's standard library for wasm32 (about a minute, once)"
    logged wasm-std env -u RUSTFLAGS -u CARGO_ENCODED_RUSTFLAGS PATH="/usr/bin:$PATH" RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR="$work/target" \
        RUSTFLAGS="-Zforce-unstable-if-unmarked -Cembed-bitcode=yes" \
        /usr/bin/cargo build --release --manifest-path "$source/library/sysroot/Cargo.toml" --target "$WASM" \
        --features panic-unwind,compiler-builtins-mem --config profile.release.lto=false || return 1
    mkdir -p "$work/root/lib/rustlib/$WASM/lib"
    cp "$work/target/$WASM/release/deps/"*.rlib "$work/root/lib/rustlib/$WASM/lib/"
    rm -rf "$sysroot"
    mv "$work/root" "$sysroot"
    rm -rf "$work"
}

# The number of the LLVM that Debian's rustc stands on: its linker must be of the same.
web_llvm() { /usr/bin/rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p'; }

install_web_rust() {
    debian "${WEB_RUST[@]}"
    debian "lld-$(web_llvm)"
    build_web_sysroot || give_up "the standard library for wasm32 could not be built." "rustup target add $WASM"
}

# For the browser's debug builds: one set of compiled crates for serve and test, and no debug information, which no browser shows.
WASM_PROFILES=(CARGO_PROFILE_DEV_DEBUG=0 CARGO_PROFILE_TEST_OPT_LEVEL=0)

# need_wasm: a Rust for wasm32. Sets WASM_ENV, to stand before every cargo or trunk call for it.
# First the ordinary one, with rustup's target; where that can't be downloaded, Debian's, for wasm32 alone
# (VRAMFIT_WASM_RUST=debian takes that one at once).
need_wasm() {
    need_rust
    local sysroot
    # Two toolchains in one target folder would rebuild each other's work for ever. Trunk takes NO_COLOR=1 for an error.
    WASM_ENV=(env -u NO_COLOR "${WASM_PROFILES[@]}" CARGO_TARGET_DIR="$ROOT/target/wasm" PATH="$TOOLS/bin:$PATH")
    local wanted=${VRAMFIT_WASM_RUST:-any}
    [ "$wanted" = any ] && has_wasm_std "$(rustc --print sysroot)" && return 0
    if ! { sysroot=$(web_sysroot) && has_wasm_std "$sysroot"; }; then
        if [ "$wanted" = any ] && has rustup; then
            say "asking rustup for the target $WASM (some seconds, once)"
            timeout 120 rustup target add "$WASM" >/dev/null 2>&1 && return 0
            say "rustup can't download it here; taking Debian's Rust for wasm32 instead"
        fi
        has_package rustc-web || has dpkg-query || give_up "Rust's target $WASM is missing." "rustup target add $WASM"
        locked install_web_rust
        sysroot=$(web_sysroot)
    fi
    WASM_ENV=(env -u NO_COLOR -u RUSTFLAGS -u CARGO_ENCODED_RUSTFLAGS "${WASM_PROFILES[@]}"
        CARGO_TARGET_DIR="$ROOT/target/wasm" PATH="/usr/bin:$TOOLS/bin:$PATH"
        CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER="/usr/lib/llvm-$(web_llvm)/bin/wasm-ld"
        CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS="--sysroot $sysroot")
}

# --- Cargo's tools ---

# cargo_tool PROGRAM CRATE VERSION MINUTES FLAG...: in the cache, in exactly that version.
cargo_tool() {
    local program=$1 crate=$2 version=$3 minutes=$4
    shift 4
    [ "$("$TOOLS/bin/$program" --version 2>/dev/null)" = "$program $version" ] && return 0
    say "installing $crate $version (about $minutes minutes, once)"
    logged "$crate" env -u CARGO_TARGET_DIR cargo install --root "$TOOLS" --force "$crate" --version "$version" "$@" ||
        give_up "$crate $version can't be had." "cargo install --root $TOOLS --force $crate --version $version $*"
}

# A debug build of trunk starts as fast and is there in half the time.
need_trunk() { locked cargo_tool trunk trunk "$TRUNK_VERSION" 5 --locked --debug; }

# The fuzzer's own code is C++.
need_fuzzer() {
    has c++ || debian g++
    locked cargo_tool cargo-fuzz cargo-fuzz "$FUZZ_VERSION" 1 --locked
}

# It must be of the very version of the library. Its own lock is not used: it names yanked crates.
need_wasm_bindgen() {
    local version
    version=$(awk '/^name = "wasm-bindgen"$/ { getline; gsub(/version = |"/, ""); print }' "$ROOT/Cargo.lock")
    locked cargo_tool wasm-bindgen wasm-bindgen-cli "$version" 2
}

# --- Node and its packages ---

need_node() {
    has node && has npm || give_up "Node is missing (20 or later)." "sudo apt-get update" "sudo apt-get install -y nodejs npm"
    local major
    major=$(node --version)
    major=${major#v}
    [ "${major%%.*}" -ge 20 ] || give_up "Node $major is too old: 20 or later is needed."
}

need_node_modules() {
    need_node
    cmp -s "$ROOT/package-lock.json" "$ROOT/node_modules/.vramfit-lock" && return 0
    say "installing Node's packages (some seconds, once)"
    (cd "$ROOT" && logged npm npm ci --no-audit --no-fund) || give_up "Node's packages can't be had." "npm ci"
    cp "$ROOT/package-lock.json" "$ROOT/node_modules/.vramfit-lock"
}

# --- The browser ---

# need_chromium [driver]: sets CHROMIUM, and CHROMEDRIVER when asked for.
need_chromium() {
    local name
    for name in chromium google-chrome chromium-browser google-chrome-stable; do
        [ -n "${CHROMIUM:-}" ] || CHROMIUM=$(command -v "$name" || true)
    done
    if [ "${1:-}" = driver ]; then
        CHROMEDRIVER=${CHROMEDRIVER:-$(command -v chromedriver || true)}
        # The driver must be of the browser's version, so the two come together.
        if [ -z "$CHROMEDRIVER" ]; then
            locked debian chromium chromium-driver
            CHROMIUM=/usr/bin/chromium CHROMEDRIVER=/usr/bin/chromedriver
        fi
    fi
    if [ -z "$CHROMIUM" ]; then
        locked debian chromium
        CHROMIUM=/usr/bin/chromium
    fi
    export CHROMIUM CHROMEDRIVER
}
