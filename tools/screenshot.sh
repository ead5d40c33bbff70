#!/bin/sh
# tools/screenshot.sh REPORT.html OUT.png [WIDTH] [HEIGHT] [light|dark]: a picture of a report by headless Chromium.
set -eu
if [ $# -lt 2 ]; then
  sed -n '2p' "$0" | cut -c3- >&2
  exit 2
fi
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || {
  echo "screenshot: no Chromium found; apt-get install chromium" >&2
  exit 2
}
scheme=
[ "${5:-light}" = dark ] && scheme=--blink-settings=preferredColorScheme=0
profile=$(mktemp -d)
trap 'rm -rf "$profile"' EXIT
"$browser" --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking \
  --disable-component-update --disable-sync --hide-scrollbars --force-color-profile=srgb $scheme \
  --user-data-dir="$profile" --window-size="${3:-1280},${4:-2600}" --virtual-time-budget=3000 \
  --screenshot="$(realpath -m "$2")" "file://$(realpath "$1")" >/dev/null 2>"$profile/log" || {
  cat "$profile/log" >&2
  exit 1
}
echo "$2"
