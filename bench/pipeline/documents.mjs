// npm run documents -w @probity/bench [-- --half a|b] [--root DIR]... [--list FILE] [--write-list FILE]
//   [--conversations FILE] [--verbose]
// How many harmless documents of 2 to 100 KB the built-in policy blocks or flags, by kind, by length and by
// what found something. The documents are those that are installed beside this repository: packages, manuals,
// licences. Which half a document belongs to depends on its checksum, so that what is developed on one half can
// be reported on the other. `--write-list` writes checksums, kinds and paths; `--list` reads exactly those.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { gather, readDocument } from './harmless-documents.mjs';

const PACKAGE = new URL('../../packages/pipeline/dist/src/index.js', import.meta.url).href;
const { builtInPolicyRules, createPipeline, evaluatePolicies } = await import(PACKAGE);

const { values: options } = parseArgs({
  options: {
    half: { type: 'string' },
    root: { type: 'string', multiple: true },
    list: { type: 'string' },
    'write-list': { type: 'string' },
    conversations: { type: 'string' },
    verbose: { type: 'boolean' },
  },
});
const LENGTHS = [
  ['2 to 8 KB', 8 * 1024],
  ['8 to 32 KB', 32 * 1024],
  ['32 to 100 KB', Number.POSITIVE_INFINITY],
];
const pipeline = createPipeline();
const policies = [{ id: 'built-in', name: 'Built in', rules: builtInPolicyRules() }];

const all = options.list === undefined ? gather(options) : readList(options.list);
if (options['write-list'] !== undefined) writeList(options['write-list'], all);
const chosen = all.filter(({ half }) => options.half === undefined || half === options.half);
const verdicts = [];
for (const document of chosen) verdicts.push(await judge(document));
report(verdicts);

async function judge(document) {
  const input = { response: document.text };
  const result = await pipeline.scan(input);
  const { verdict, findings } = evaluatePolicies(policies, result, input);
  const worst = new Map();
  for (const { stage, type, score, reason, start, end, action } of findings) {
    const place = document.text.slice(start, Math.min(end, start + 160)).replaceAll(/\s+/g, ' ');
    const key = `${stage} ${type}: ${reason}`;
    if ((worst.get(key)?.score ?? 0) < score) worst.set(key, { key, score, action, place });
  }
  return { ...document, verdict, found: [...worst.values()] };
}

function report(verdicts) {
  const checksum = createHash('sha256');
  for (const { sha256 } of all) checksum.update(sha256);
  process.stdout.write(`${all.length} documents, ${verdicts.length} of them read; `);
  process.stdout.write(`checksum of the list ${checksum.digest('hex').slice(0, 16)}\n\n`);
  table('kind', (verdict) => verdict.kind, verdicts);
  table('length', ({ text }) => LENGTHS.find(([, most]) => text.length < most)[0], verdicts);
  for (const action of ['block', 'flag']) {
    const counts = new Map();
    for (const { found } of verdicts) {
      for (const { key } of found.filter((finding) => finding.action === action)) {
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
    process.stdout.write(`\n| documents | to ${action} by |\n| --- | --- |\n`);
    for (const [key, count] of [...counts].sort((a, b) => b[1] - a[1])) {
      process.stdout.write(`| ${count} | ${key} |\n`);
    }
  }
  if (!options.verbose) return;
  for (const { kind, path, verdict, found } of verdicts) {
    if (verdict === 'allowed') continue;
    process.stdout.write(`\n${verdict} ${kind} ${path}\n`);
    for (const { key, score, action, place } of found) {
      process.stdout.write(`  ${action} ${score.toFixed(3)} ${key}: ${place}\n`);
    }
  }
}

function table(name, groupOf, verdicts) {
  const groups = new Map([['all', []]]);
  for (const verdict of verdicts) {
    const group = groupOf(verdict);
    if (!groups.has(group)) groups.set(group, []);
    groups.get(group).push(verdict);
    groups.get('all').push(verdict);
  }
  const head = `| ${name} | documents | blocked | by injection | by toxicity | by pii | flagged |`;
  process.stdout.write(`\n${head}\n| --- | --- | --- | --- | --- | --- | --- |\n`);
  for (const [group, own] of groups) {
    const share = (count) => `${count} (${(count / Math.max(1, own.length)).toFixed(3)})`;
    const count = (test) => own.filter(test).length;
    const by = (stage) =>
      count(({ found }) =>
        found.some(({ key, action }) => action === 'block' && key.startsWith(stage)),
      );
    const cells = [
      group,
      own.length,
      share(count(({ verdict }) => verdict === 'blocked')),
      by('injection'),
      by('toxicity'),
      by('pii'),
      share(count(({ verdict }) => verdict === 'flagged')),
    ];
    process.stdout.write(`| ${cells.join(' | ')} |\n`);
  }
}

function writeList(file, documents) {
  const lines = documents.map(({ sha256, kind, path }) => `${sha256}\t${kind}\t${path}`);
  writeFileSync(file, `${lines.join('\n')}\n`);
}

function readList(file) {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [sha256, kind, path] = line.split('\t');
    const document = readDocument(path, kind);
    if (document?.sha256 === sha256) return document;
    throw new Error(`${path} is not there or has changed`);
  });
}
