#!/bin/sh
# Evaluates, imports the results as evidence, and fails afterwards if a test failed.
# Needs PROBITY_API_KEY and PROBITY_BASE_URL, and promptfoo and probity on the path.
set -eu
cd "$(dirname "$0")"
results="${RESULTS_FILE:-results.json}"

status=0
promptfoo eval --config promptfooconfig.yaml --output "$results" --no-cache || status=$?
# 100 says that tests failed, which is evidence as well; anything else, that there are no results.
if [ "$status" -ne 0 ] && [ "$status" -ne 100 ]; then exit "$status"; fi

probity import "$results" \
  --label "commit=${GIT_COMMIT:-local}" \
  --label "pipeline=${CI_PIPELINE:-support-assistant}" \
  ${AI_SYSTEM_ID:+--ai-system-id "$AI_SYSTEM_ID"}

exit "$status"
