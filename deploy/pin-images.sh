#!/bin/sh
# Adds the digest of each image to compose.yaml and the Dockerfile: `nats:2.14.3-alpine@sha256:…`. A tag may move, and a
# digest may not. Run it after a change of a version, look at the difference, and commit it. Needs docker with buildx, or
# crane, and a registry that answers. Other files may be named as arguments.
set -eu
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- compose.yaml Dockerfile

digest() {
  if command -v crane > /dev/null; then crane digest "$1"
  else docker buildx imagetools inspect "$1" --format '{{.Manifest.Digest}}'
  fi
}

# Images with a version, an older digest cut off. The image that compose.yaml builds has none.
sed -nE 's/^(FROM| *image:) ([a-z0-9./-]+:[A-Za-z0-9._-]+).*/\2/p' "$@" | sort -u | while read -r image; do
  found=$(digest "$image")
  case $found in sha256:*) ;; *) echo "No digest of $image: $found" >&2; exit 1 ;; esac
  escaped=$(printf %s "$image" | sed 's/[.]/\\./g')
  for file; do
    sed -E "s#^(FROM| *image:) $escaped(@sha256:[0-9a-f]+)?( |\$)#\1 $image@$found\3#" "$file" > "$file.pinned"
    cat "$file.pinned" > "$file"
    rm "$file.pinned"
  done
  echo "$image@$found"
done
