#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Debian's unstable suite in a folder of its own, for the newest compilers and Pythons.
#
# Usage: tools/unstable.sh DIR [COMMAND [ARGUMENT]...]
#
# Makes the system in DIR if it is not there, installs packages that it lacks, then runs COMMAND in
# it, in the current folder, which is visible inside at the same path; so are TAIN_WORK and the
# folder of ccache. Needs Debian and root. All mounts belong to a namespace of this process, so that
# nothing stays mounted: `rm -r DIR` removes the system. Exit status 75: it could not be made; else
# that of COMMAND.
set -euo pipefail

root="${1:?tools/unstable.sh: expected the folder of the system}"
shift
limit=900 # seconds to make it; a mirror that does not answer is none

packages=(ca-certificates ccache clang cmake doctest-dev g++ git make ninja-build pkgconf
  python3.14 python3.14-dev python3.14-venv python3.15 python3.15-dev python3.15-venv valgrind)

# What this machine says of names, certificates and the registries of packages holds inside too.
settings=(/etc/resolv.conf /etc/hosts /etc/ssl/certs/ca-certificates.crt /etc/apt/apt.conf.d
  /etc/pip.conf /etc/xdg/pip "$HOME/.config/pip")

# inside <command>...: run it in the system, in "$folder", with "${shared[@]}" from outside.
inside() {
  # shellcheck disable=SC2016
  root="$root" folder="$folder" unshare --mount --propagation private bash -euc '
    for path in '"${shared[*]@Q}"'; do
      [ -e "$path" ] || continue
      if [ -d "$path" ]; then mkdir -p "$root$path"
      else mkdir -p "$root${path%/*}"; [ -e "$root$path" ] || : >"$root$path"
      fi
      mount --rbind "$path" "$root$path"
    done
    mount -t proc proc "$root/proc"
    exec chroot "$root" /usr/bin/env --unset=VIRTUAL_ENV --unset=PYENV_ROOT --chdir="$folder" \
      PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"' inside "$@"
}

fail() {
  echo "tools/unstable.sh: $1" >&2
  exit 1
}

# is_complete: whether the system has all packages that this script names.
is_complete() {
  [[ -e $root/.complete && "$(<"$root/.complete")" == "${packages[*]}" ]]
}

make_base() {
  local mirror
  [[ -z "$(ls -A "$root" 2>/dev/null)" || -e $root/.begun ]] ||
    fail "$root holds something else than a system that this script has begun"
  command -v debootstrap >/dev/null || {
    apt-get update -q
    DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends debootstrap
  }
  # From where this machine takes its own packages.
  # shellcheck disable=SC2016
  mirror="$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' |
    grep --max-count=1 '/debian$')"
  rm -rf "${root:?}"
  mkdir -p "$root"
  touch "$root/.begun"
  unshare --mount --propagation private \
    debootstrap --variant=minbase --include=ca-certificates sid "$root" "$mirror"
}

make_system() {
  [[ $(id -u) -eq 0 ]] || fail "root is needed"
  [[ -e $root/.complete ]] || make_base
  shared=("${settings[@]}") folder=/
  inside apt-get update -q
  inside env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends \
    "${packages[@]}"
  printf '%s' "${packages[*]}" >"$root/.complete"
}

if [[ $# -eq 0 ]]; then
  is_complete || make_system
  exit
fi
if ! is_complete && ! timeout --kill-after=10 "$limit" "$0" "$root"; then
  echo "Debian's unstable suite could not be installed in $root"
  exit 75
fi
shared=("${settings[@]}" /dev "$PWD") folder="$PWD"
for path in "${TAIN_WORK:-}" "${CCACHE_DIR:-$HOME/.cache/ccache}"; do
  [[ -z $path ]] || shared+=("$path")
done
inside "$@"
