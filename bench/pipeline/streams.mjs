// npm run streams -w @probity/bench [-- --stage NAME]... [--kind NAME] [--part N]... [--rounds N] [--max-work N]
// [--against DIST]
// What a guardStream costs beside one scan of the whole text, by stage, length and size of the parts. CPU time of
// several rounds that take turns: the least, and the median of the rounds. What reading the same parts without a guard
// costs is taken off, since a program pays that anyway; it is listed as well, since of parts of one character it is more
// than some stages. `--against` is another build's `dist`, which takes turns as well.
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { KNOWLEDGE, PROTECTED } from './material.mjs';
import { createRealTexts } from './real-texts.mjs';

const { values: options } = parseArgs({
  options: {
    stage: { type: 'string', multiple: true },
    kind: { type: 'string', default: 'prose' },
    part: { type: 'string', multiple: true, default: ['1', '2', '4', '16', '64', '256'] },
    rounds: { type: 'string', default: '12' },
    'max-work': { type: 'string' },
    against: { type: 'string' },
  },
});
const here = await import(new URL('../../packages/pipeline/dist/src/index.js', import.meta.url));
const builds = [here];
if (options.against !== undefined) {
  builds.push(await import(new URL('src/index.js', `${pathToFileURL(options.against).href}/`)));
}

const STAGE_OPTIONS = {
  truth_scan: { knowledge: KNOWLEDGE },
  output_truth_scanner: { knowledge: KNOWLEDGE },
  contamination_check: { protected: PROTECTED },
  terms_scanner: { lists: [{ type: 'codename', terms: ['blue heron', 'project lantern'] }] },
};
/** Those that read a response without anything beside it. */
const READ_ALONE = here.STAGE_NAMES.filter(
  (name) => name !== 'truth_scan' && name !== 'hallucination_detector',
);
const DEFAULT = 'default stages';
/** Lengths in UTF-16 units, and how many texts of each. */
const LENGTHS = [
  [2048, 60],
  [20_480, 8],
  [204_800, 1],
];
const PART_SIZES = options.part.map(Number);
const ROUNDS = Number(options.rounds);
const maxWork = options['max-work'] === undefined ? undefined : Number(options['max-work']);

const realTexts = createRealTexts();
const head = PART_SIZES.map((size) => `parts of ${size}`);
console.log(`| ${[options.kind, 'length', 'scan, ns a character', ...head].join(' | ')} |`);
console.log(`| ${['---', '---', '---', ...head.map(() => '---')].join(' | ')} |`);
for (const name of options.stage ?? [...READ_ALONE, DEFAULT]) {
  const guarded = builds.map((build) => guardedBy(build, name));
  for (const [length, count] of LENGTHS) {
    const texts = realTexts(length, count).get(options.kind);
    const rows = await measure(guarded, texts);
    rows.forEach((row, at) => {
      console.log(`| ${[at === 0 ? name : `${name}, against`, length, ...row].join(' | ')} |`);
    });
  }
}

function guardedBy({ createGuard, createPipeline, guardStream }, name) {
  const stages = [{ name, options: STAGE_OPTIONS[name] ?? {}, timeoutMs: 3e5 }];
  const pipeline = createPipeline(name === DEFAULT ? {} : { stages });
  const guard = createGuard({ pipeline, policies: [] });
  return {
    scan: (response) => guard.check({ response }),
    guard: (parts) => drain(guardStream(parts, { guard, maxWork })),
  };
}

/** A row for each build: what a scan takes, and how many times that a guarded stream takes by size of the parts. */
async function measure(guarded, texts) {
  const times = new Map();
  const take = async (key, work) => {
    const before = process.cpuUsage();
    for (const text of texts) await work(text);
    const { user, system } = process.cpuUsage(before);
    if (!times.has(key)) times.set(key, []);
    times.get(key).push(user + system);
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [at, { scan }] of guarded.entries()) await take(`scan ${at}`, scan);
    for (const size of PART_SIZES) {
      await take(`read ${size}`, (text) => drain(partsOf(text, size)));
      for (const [at, { guard }] of guarded.entries()) {
        await take(`guard ${size} ${at}`, (text) => guard(partsOf(text, size)));
      }
    }
  }
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  return guarded.map((_, at) => {
    const scan = times.get(`scan ${at}`);
    const cells = PART_SIZES.map((size) => {
      const [read, guard] = [times.get(`read ${size}`), times.get(`guard ${size} ${at}`)];
      const ratios = scan.map((own, round) => (guard[round] - read[round]) / own);
      const ratio = (Math.min(...guard) - Math.min(...read)) / Math.min(...scan);
      const reading = Math.min(...read) / Math.min(...scan);
      return `${ratio.toFixed(2)}, ${medianOf(ratios).toFixed(2)} (+${reading.toFixed(2)})`;
    });
    return [((1000 * Math.min(...scan)) / length).toFixed(0), ...cells];
  });
}

function medianOf(numbers) {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

async function drain(parts) {
  let length = 0;
  for await (const part of parts) length += part.length;
  return length;
}

async function* partsOf(text, size) {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}
