// Gathers harmless documents from what is installed on a machine.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

const LEAST = 2 * 1024;
const MOST = 100 * 1024;
/** Documents of a kind, and of a folder's group, that are taken at most. */
const PER_KIND = 60;
const PER_GROUP = 2;
/** Conversations that are joined into one document. */
const TURNS = 12;

const DEFAULT_ROOTS = [
  fileURLToPath(new URL('../../node_modules', import.meta.url)),
  '/usr/share/common-licenses',
  '/usr/share/doc',
  '/usr/share/man/man1',
  '/usr/share/man/man5',
  '/usr/share/man/man7',
  '/usr/share/perl',
  '/usr/share/vim',
  '/usr/share/postgresql',
  '/usr/share/X11',
  '/usr/include',
  '/usr/lib/python3',
  '/usr/lib/python3.11',
];

/** Kinds by the name of a file; the first that fits counts. */
const KINDS = [
  ['licence', /(?:^|\/)(?:licen[sc]es?|copying|copyright)[^/]*$|\/common-licenses\//i],
  ['changelog', /(?:^|\/)(?:change(?:s|log)|news|history|releases?)(?:\.\w+)*$/i],
  ['readme', /(?:^|\/)readme(?:\.\w+)*$/i],
  ['manual', /\/man\d\/[^/]+$/],
  ['declarations', /\.d\.[cm]?ts$|\.h$/],
  ['sql', /\.sql$/],
  ['data', /\.(?:json|ya?ml|csv|xml|toml)$/],
  ['api documentation', /\.(?:html?|rst)$|\/docs?\/.*\.md$/],
  ['code, python or c', /\.(?:py|c|pl|pm)$/],
  ['code, js or ts', /\.(?:[cm]?js|[cm]?ts|tsx|jsx)$/],
  ['handbook', /\.(?:txt|pod|md)$/],
];

/**
 * The documents under the roots, chosen by the order of their checksums: up to {@link PER_KIND} of each kind and
 * {@link PER_GROUP} of each folder of a package, no text twice; conversations, joined, are a kind of their own.
 * `kinds` are pairs of a kind and the pattern of its files' paths; roots that are not there are left out.
 *
 * @returns {{ sha256: string, half: 'a' | 'b', kind: string, path: string, text: string }[]}
 */
export function gather({ root = DEFAULT_ROOTS, kinds = KINDS, conversations }) {
  const byKind = new Map(kinds.map(([kind]) => [kind, []]));
  const seen = new Set();
  for (const folder of root) {
    if (existsSync(folder)) collect(folder, folder, kinds, byKind, seen);
  }
  const documents = [...byKind].flatMap(([kind, candidates]) => choose(kind, candidates));
  return conversations === undefined ? documents : [...documents, ...chats(conversations)];
}

/** One document, or undefined where the file is none: too short, too long, no text, minified. */
export function readDocument(path, kind) {
  if (kind === 'chat') {
    const [file, index] = path.split('#');
    return chats(file)[Number(index)];
  }
  const bytes = readFileSync(path);
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return isDocument(text) ? toDocument(text, kind, path) : undefined;
}

function toDocument(text, kind, path) {
  const sha256 = createHash('sha256').update(text).digest('hex');
  return { sha256, half: Number.parseInt(sha256[0], 16) < 8 ? 'a' : 'b', kind, path, text };
}

function isDocument(text) {
  if (text.length < LEAST || text.length > MOST || text.includes('\uFFFD')) return false;
  if (text.includes('\0')) return false;
  // Minified code has lines that nobody wrote.
  return text.length / text.split('\n').length < 2_000;
}

function collect(top, folder, kinds, byKind, seen) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) collect(top, path, kinds, byKind, seen);
    if (!entry.isFile()) continue;
    const name = path.replace(/\.gz$/, '');
    const kind = kinds.find(([, pattern]) => pattern.test(name))?.[0];
    if (kind === undefined) continue;
    const { size } = statSync(path);
    if (size < LEAST / 8 || size > MOST) continue;
    const real = realpathSync(path);
    if (seen.has(real)) continue;
    seen.add(real);
    byKind.get(kind).push({ path, group: groupOf(top, path) });
  }
}

/** The package, and its first folder, that a file belongs to. */
function groupOf(top, path) {
  const parts = dirname(path)
    .slice(top.length + 1)
    .split(sep);
  const depth = parts[0]?.startsWith('@') ? 3 : 2;
  const group = parts.slice(0, depth).join(sep);
  return group === '' ? `${top} ${basename(path).slice(0, 3)}` : `${top} ${group}`;
}

function choose(kind, candidates) {
  // By the checksum of the path first, so that not every file of a machine has to be read.
  const order = candidates
    .map(({ path, group }) => ({
      path,
      group,
      key: createHash('sha256').update(path).digest('hex'),
    }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  const chosen = new Map();
  const groups = new Map();
  for (const { path, group } of order) {
    if (chosen.size >= PER_KIND) break;
    if ((groups.get(group) ?? 0) >= (kind === 'sql' ? PER_KIND : PER_GROUP)) continue;
    const document = readDocument(path, kind);
    if (document === undefined || chosen.has(document.sha256)) continue;
    chosen.set(document.sha256, document);
    groups.set(group, (groups.get(group) ?? 0) + 1);
  }
  return [...chosen.values()].sort((a, b) => (a.sha256 < b.sha256 ? -1 : 1));
}

/** Conversations one after the other, as a transcript has them. */
function chats(file) {
  const rows = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const right = rows.filter(({ label }) => label === 0);
  const documents = [];
  for (let at = 0; at + TURNS <= right.length; at += TURNS) {
    const turns = right.slice(at, at + TURNS);
    const text = turns
      .map(({ prompt, text }) => `User: ${prompt}\n\nAssistant: ${text}\n`)
      .join('\n');
    documents.push(toDocument(text, 'chat', `${file}#${documents.length}`));
  }
  return documents;
}
