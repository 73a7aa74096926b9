#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds CPython from Debian's source package, for what no distribution installs.
#
# Usage: tools/cpython.sh DIR X.Y [CONFIGURE-OPTION]...
#
# Installs the newest release of X.Y that Debian's suites have into DIR/install, if it is not there;
# prints the path of its interpreter. Needs Debian with apt and a compiler, not root. For example
# `tools/cpython.sh ~/pydebug 3.13 --with-pydebug`, or `--disable-gil`.
set -euo pipefail

folder="$(realpath -m "${1:?tools/cpython.sh: expected a folder}")"
version="${2:?tools/cpython.sh: expected a version, such as 3.13}"
shift 2
suites=(sid testing stable)

# A list of sources of apt's of its own, so that nothing of this machine's changes.
apt_here=(-o "Dir::Etc::sourcelist=$folder/sources.list" -o "Dir::Etc::sourceparts=-"
  -o "Dir::State=$folder/apt" -o "Dir::Cache=$folder/apt" -o "APT::Sandbox::User=")

fetch_sources() {
  local mirror suite release
  # shellcheck disable=SC2016
  mirror="$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' |
    grep --max-count=1 '/debian$')"
  mkdir -p "$folder/apt/lists/partial"
  for suite in "${suites[@]}"; do echo "deb-src $mirror $suite main"; done >"$folder/sources.list"
  apt-get "${apt_here[@]}" -q update
  # The newest release whose files the mirror still has.
  for release in $(apt-cache "${apt_here[@]}" showsrc "python$version" |
    sed -n 's/^Version: //p' | sort --version-sort --reverse --unique); do
    if (cd "$folder" && apt-get "${apt_here[@]}" -q --download-only source \
      "python$version=$release"); then
      mkdir -p "$folder/sources"
      tar -x --strip-components=1 -C "$folder/sources" \
        -f "$folder/python${version}_${release%-*}.orig.tar".*[^c]
      return
    fi
  done
  echo "tools/cpython.sh: no sources of python$version could be fetched" >&2
  return 1
}

build() {
  cd "$folder/sources"
  ./configure -q --prefix="$folder/install" "$@"
  make -s -j "$(nproc)"
  make -s install
}

if [[ ! -e $folder/.complete ]]; then
  {
    [[ -e $folder/sources/configure ]] || fetch_sources
    (build "$@")
    touch "$folder/.complete"
  } >&2
fi
echo "$folder/install/bin/python$version"
