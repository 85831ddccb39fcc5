// npm run streams -w @probity/bench [-- --stage NAME]... [--kind NAME] [--rounds N] [--max-work N]
// What a guardStream costs beside one scan of the whole text, by stage, length and size of the parts. CPU time, the
// least of several rounds that take turns. What reading the same parts without a guard costs is taken off, since a
// program pays that anyway; it is listed as well, since of parts of one character it is more than some stages.
import { parseArgs } from 'node:util';
import { KNOWLEDGE, PROTECTED } from './material.mjs';
import { createRealTexts } from './real-texts.mjs';

const { values: options } = parseArgs({
  options: {
    stage: { type: 'string', multiple: true },
    kind: { type: 'string', default: 'prose' },
    rounds: { type: 'string', default: '12' },
    'max-work': { type: 'string' },
  },
});
const PACKAGE = new URL('../../packages/pipeline/dist/src/index.js', import.meta.url).href;
const { createGuard, createPipeline, guardStream, STAGE_NAMES } = await import(PACKAGE);

const STAGE_OPTIONS = {
  truth_scan: { knowledge: KNOWLEDGE },
  output_truth_scanner: { knowledge: KNOWLEDGE },
  contamination_check: { protected: PROTECTED },
  terms_scanner: { lists: [{ type: 'codename', terms: ['blue heron', 'project lantern'] }] },
};
/** Those that read a response without anything beside it. */
const READ_ALONE = STAGE_NAMES.filter(
  (name) => name !== 'truth_scan' && name !== 'hallucination_detector',
);
const DEFAULT = 'default stages';
/** Lengths in UTF-16 units, and how many texts of each. */
const LENGTHS = [
  [2048, 60],
  [20_480, 8],
  [204_800, 1],
];
const PART_SIZES = [1, 4, 20, 200];
const maxWork = options['max-work'] === undefined ? undefined : Number(options['max-work']);

const realTexts = createRealTexts();
const head = PART_SIZES.map((size) => `parts of ${size}`);
console.log(`| ${[options.kind, 'length', 'scan, ns a character', ...head].join(' | ')} |`);
console.log(`| ${['---', '---', '---', ...head.map(() => '---')].join(' | ')} |`);
for (const name of options.stage ?? [...READ_ALONE, DEFAULT]) {
  const stages = [{ name, options: STAGE_OPTIONS[name] ?? {}, timeoutMs: 3e5 }];
  const pipeline = createPipeline(name === DEFAULT ? {} : { stages });
  const guard = createGuard({ pipeline, policies: [] });
  for (const [length, count] of LENGTHS) {
    const texts = realTexts(length, count).get(options.kind);
    const row = await measure(guard, texts);
    console.log(`| ${[name, length, ...row].join(' | ')} |`);
  }
}

async function measure(guard, texts) {
  const least = new Map();
  const take = async (key, work) => {
    const before = process.cpuUsage();
    for (const text of texts) await work(text);
    const { user, system } = process.cpuUsage(before);
    least.set(key, Math.min(least.get(key) ?? Number.POSITIVE_INFINITY, user + system));
  };
  for (let round = 0; round < Number(options.rounds); round += 1) {
    await take('scan', (response) => guard.check({ response }));
    for (const size of PART_SIZES) {
      await take(`read ${size}`, (text) => drain(partsOf(text, size)));
      await take(`guard ${size}`, (text) =>
        drain(guardStream(partsOf(text, size), { guard, maxWork })),
      );
    }
  }
  const scan = least.get('scan');
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  const ratio = (size) => {
    const read = least.get(`read ${size}`) / scan;
    return `${(least.get(`guard ${size}`) / scan - read).toFixed(2)} (+${read.toFixed(2)})`;
  };
  return [((1000 * scan) / length).toFixed(0), ...PART_SIZES.map(ratio)];
}

async function drain(parts) {
  let length = 0;
  for await (const part of parts) length += part.length;
  return length;
}

async function* partsOf(text, size) {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}
