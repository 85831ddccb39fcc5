// Counts what the stage secrets_scanner finds in lock files, source maps and minified bundles.
//   node bench/pipeline/secrets-false-alarms.mjs [FOLDER...]   default: node_modules and what Node brings
// Prints the files with findings (place, type, reason, never the value) and the totals.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findSecrets } from '../../packages/pipeline/dist/src/secrets/index.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const globalModules = join(dirname(dirname(process.execPath)), 'lib', 'node_modules');
const folders = process.argv.slice(2);
const LOCK =
  /^(?:\.?package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|Package\.resolved|packages\.lock\.json|go(?:\.work)?\.sum|gems\.locked|gradle\.lockfile|stack\.yaml\.lock|MODULE\.bazel\.lock|\.terraform\.lock\.hcl|[\w-]+\.lock)$/;
const MAX_BYTES = 8 * 1024 * 1024;
const MINIFIED_LINE = 2_000;

/** @param {string} name @param {() => string} read */
function kindOf(name, read) {
  if (LOCK.test(name)) return 'lock file';
  if (name.endsWith('.map')) return 'source map';
  if (/\.(?:js|mjs|cjs|css)$/.test(name)) {
    const text = read();
    const lines = text.split('\n').length;
    if (/\.min\./.test(name) || text.length / lines > MINIFIED_LINE / 4) return 'minified bundle';
  }
  return undefined;
}

/** @param {string} folder @returns {Generator<string>} */
function* filesIn(folder) {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return;
  }
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesIn(path);
    else if (entry.isFile()) yield path;
  }
}

const totals = new Map();
const seen = new Set();
let found = 0;
for (const folder of folders.length > 0 ? folders : [root, globalModules]) {
  for (const path of filesIn(folder)) {
    const { size } = statSync(path);
    if (size > MAX_BYTES || size === 0) continue;
    /** @type {string | undefined} */
    let text;
    const read = () => (text ??= readFileSync(path, 'utf8'));
    const kind = kindOf(basename(path), read);
    if (kind === undefined) continue;
    const digest = createHash('sha256').update(read()).digest('hex');
    if (seen.has(digest)) continue;
    seen.add(digest);
    const total = totals.get(kind) ?? { files: 0, bytes: 0, findings: 0 };
    totals.set(kind, total);
    total.files++;
    total.bytes += size;
    const secrets = findSecrets(read());
    total.findings += secrets.length;
    found += secrets.length;
    for (const { type, start, end, score, reason } of secrets.slice(0, 5)) {
      process.stdout.write(
        `${path.replace(root, '.')} ${start}-${end} ${type} ${score} ${reason}\n`,
      );
    }
  }
}
for (const [kind, { files, bytes, findings }] of totals) {
  process.stdout.write(
    `${kind}: ${files} files, ${(bytes / 1e6).toFixed(1)} MB, ${findings} findings\n`,
  );
}
process.exitCode = found > 0 ? 1 : 0;
