#!/usr/bin/env bash
# Install what debian/control lists, and nothing when all of it is there (so a second run needs no network).
set -euo pipefail
cd "$(dirname "$0")/.."

wanted=$(sed -n '/^Build-Depends:/,/^[A-Z][A-Za-z-]*:/{s/^Build-Depends://;/^[A-Z][A-Za-z-]*:/d;p}' debian/control |
  sed 's/([^)]*)//g' | tr ',' '\n' | tr -d ' \t' | sed '/^$/d')
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
