#!/bin/sh
# Starts the gateway; on the first start it makes an API key and writes it to the file `key`.
set -eu
cd "$(dirname "$0")"
folder="${GATEWAY_FOLDER:-.}"
export GATEWAY_HTTP_PORT="${GATEWAY_HTTP_PORT:-8080}"
export GATEWAY_GRPC_PORT="${GATEWAY_GRPC_PORT:-50052}"
export GATEWAY_METRICS_PORT="${GATEWAY_METRICS_PORT:-9090}"
export PROBITY_GATEWAY_API_KEYS_FILE="$folder/gateway-keys"
export PROBITY_GATEWAY_STATE_FOLDER="$folder/gateway-state"

if [ ! -e "$PROBITY_GATEWAY_API_KEYS_FILE" ]; then
  (umask 077 && probity-gateway key create --name example > "$folder/key")
fi
exec probity-gateway --config gateway.yaml
