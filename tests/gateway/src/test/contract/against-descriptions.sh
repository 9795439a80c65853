#!/usr/bin/env bash
# A running gateway against what it says of itself: /openapi.yaml and /asyncapi.yaml through redocly and spectral, and drawn requests,
# valid and broken, through prism, which holds every answer against /openapi.yaml. Needs npm, its registry and curl; the gateway must run
# with observatory.gateway.traffic.exempt=127.0.0.1. Ends with 1 when anything was found.
# Usage: against-descriptions.sh [port] [requests] [seed]
set -euo pipefail
port=${1:-8080} requests=${2:-2000} seed=${3:-1}
here=$(cd "$(dirname "$0")" && pwd) dir=$(mktemp -d) found=0 prism=
trap '[ -z "$prism" ] || kill "$prism" 2>/dev/null; rm -rf "$dir"' EXIT
cp "$here/package.json" "$here/requests.mjs" "$dir"
cd "$dir"
npm install --no-audit --no-fund --silent
tools=node_modules/.bin gateway=http://127.0.0.1:$port proxy=$((port + 78))
curl -sf -o openapi.yaml "$gateway/openapi.yaml"
printf 'extends: ["spectral:oas", "spectral:asyncapi"]\n' >.spectral.yaml
"$tools/redocly" lint openapi.yaml || found=1
"$tools/spectral" lint --fail-severity warn openapi.yaml "$gateway/asyncapi.yaml" || found=1
"$tools/redocly" bundle openapi.yaml --ext json -o openapi.json
"$tools/prism" proxy openapi.json "$gateway" -p "$proxy" >prism.log 2>&1 &
prism=$!
for _ in $(seq 60); do
  curl -s -o /dev/null "http://127.0.0.1:$proxy/robots.txt" && break
  sleep 1
done
node requests.mjs "http://127.0.0.1:$proxy" "$gateway" openapi.json "$requests" "$seed" || found=1
exit $found
