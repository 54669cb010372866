#!/bin/sh
# Builds the image of all services: packages of production alone, without test tools, npm or a shell's extras. Looks
# inside it, pushes it, and signs it by its digest.
#
#   sh deploy/build-image.sh registry.example/parterre            builds and checks
#   sh deploy/build-image.sh registry.example/parterre --push     … pushes with a list of its parts, and signs
#
# Needs docker with buildx. Signing needs cosign (COSIGN_KEY names a key; without it cosign asks for an identity).
set -eu
cd "$(dirname "$0")/.."
name=${1:?Name the image: registry.example/parterre}
version=$(sed -nE 's/^  "version": "(.*)",$/\1/p' package.json)
commit=$(git rev-parse --short=12 HEAD 2> /dev/null || echo unknown)
image="$name:$version-$commit"

label() { printf -- '--label org.opencontainers.image.%s=%s ' "$1" "$2"; }
# shellcheck disable=SC2046 # Labels have no spaces.
build() { docker buildx build $(label version "$version"; label revision "$commit"; label licenses Apache-2.0) --tag "$image" "$@" .; }

build --load
docker run --rm --entrypoint sh "$image" -c '
  for tool in vitest typescript esbuild playwright-core testcontainers @biomejs/biome; do
    if [ -e "node_modules/$tool" ]; then echo "The image has $tool." >&2; exit 1; fi
  done
  for program in npm npx yarn corepack; do
    if command -v "$program" > /dev/null; then echo "The image has $program." >&2; exit 1; fi
  done
  [ "$(id -u)" != 0 ] || { echo "The image runs as root." >&2; exit 1; }'
echo "Built and checked $image"

[ "${2:-}" = --push ] || { echo "Not pushed, and not signed: add --push."; exit 0; }
build --push --provenance=mode=max --sbom=true
digest=$(docker buildx imagetools inspect "$image" --format '{{.Manifest.Digest}}')
if command -v cosign > /dev/null; then
  cosign sign --yes ${COSIGN_KEY:+--key "$COSIGN_KEY"} "$name@$digest"
  echo "Signed $name@$digest"
else
  echo "Not signed: there is no cosign. Install it, then run: cosign sign $name@$digest"
fi
echo "Use the image by its digest: $name@$digest"
