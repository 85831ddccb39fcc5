#!/bin/sh
# Scans an answer of a model: prints the decision, and exits with 1 where it is blocked.
# Usage: scan.sh TEXT
set -eu
folder="${GATEWAY_FOLDER:-$(dirname "$0")}"
url="http://127.0.0.1:${GATEWAY_HTTP_PORT:-8080}/api/v1/governance/scan"
body=$(node -p 'JSON.stringify({ response: process.argv[1] })' "$1")

exec curl --silent --show-error --fail-with-body "$url" \
  --header "Authorization: Bearer $(cat "$folder/key")" \
  --header 'Content-Type: application/json' --data "$body"
