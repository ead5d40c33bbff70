#!/usr/bin/env bash
# Install what debian/control lists, and nothing when all of it is there (so a second run needs no network).
# Usage: tools/install_deps.sh [--program]   --program leaves out what only tests, benches and checks need (<!nocheck>)
#        and what makes packages of Debian (debhelper)
set -euo pipefail
cd "$(dirname "$0")/.."

case "${1:-}" in
  '') unwanted='^$' ;;
  --program) unwanted='<!nocheck>\|debhelper' ;;
  *) echo "install_deps: unknown argument '$1'; the one there is: --program" >&2; exit 2 ;;
esac
wanted=$(sed -n '/^Build-Depends:/,/^[A-Z][A-Za-z-]*:/{s/^Build-Depends://;/^[A-Z][A-Za-z-]*:/d;p}' debian/control |
  tr ',' '\n' | grep -v -- "$unwanted" | sed 's/([^)]*)//g; s/<[^>]*>//g' | tr -d ' \t' | sed '/^$/d')
missing=()
for package in $wanted; do
  status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
  exit 0
fi

run=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "install_deps: missing ${missing[*]}; run as root or install sudo" >&2; exit 2; }
  run=(sudo)
fi
echo "Installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
"${run[@]}" apt-get -qq update
"${run[@]}" apt-get -qq install -y --no-install-recommends "${missing[@]}" >/dev/null
