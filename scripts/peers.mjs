// node scripts/peers.mjs
// Fetches what `npm run evaluate -w @probity/detection-lab` compares with and is too heavy for a dependency,
// 100 MB on disk, once, from npm, into .cache/peers, where the evaluation looks for it.
import { fetchPackages } from './support/fetch-packages.mjs';

const SPECS = [
  '@openai/guardrails@0.2.1',
  'redact-pii@3.4.0',
  '@andersmyrmel/vard@1.2.0',
  'llmverify@1.6.1',
];
/** A client of a cloud service, which the expressions compared with never call. */
const OVERRIDES = { 'redact-pii': { '@google-cloud/dlp': 'npm:lodash@^4.17.21' } };

const folder = await fetchPackages('peers', SPECS, OVERRIDES);
process.stdout.write(folder === undefined ? 'npm could not fetch the peers\n' : `${folder}\n`);
process.exitCode = folder === undefined ? 1 : 0;
