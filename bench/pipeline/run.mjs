// npm run pipeline -w @probity/bench [-- --json] [--kind NAME]... [--rounds N] [--against DIST]
// What the stages cost, as a multiple of five plain regular expressions over the same texts in the
// same process: by kind of text and length, and stage by stage; how the cost grows up to 10 MiB; what
// importing the package costs. CPU time, the least of several rounds that take turns, since other work
// on the machine only adds. Every kind has a process of its own, since V8 compiles expressions for less
// speed once a process has many of them. `--against` is another build's `dist`, which takes turns as well.
import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { EXPRESSIONS, KNOWLEDGE, makeTexts, PROMPT, PROTECTED } from './material.mjs';
import { createRealTexts } from './real-texts.mjs';

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    kind: { type: 'string', multiple: true },
    rounds: { type: 'string', default: '8' },
    against: { type: 'string' },
    /** What a child measures: a kind, or nothing for the parent. */
    child: { type: 'string' },
  },
});
const PACKAGE = new URL('../../packages/pipeline/dist/src/index.js', import.meta.url).href;
const AGAINST =
  options.against === undefined
    ? undefined
    : new URL('src/index.js', `${pathToFileURL(options.against).href}/`).href;
const pipelinePackage = await import(PACKAGE);
const { createPipeline, PipelineConfigError, STAGE_NAMES } = pipelinePackage;

/** Sentences of {@link makeTexts}, which are few: every word of theirs has been read before. */
const REPEATED = 'twelve sentences in turn';
const KINDS = [
  'prose',
  'markdown',
  'code',
  'json',
  'csv',
  'chat',
  'licence',
  'other languages',
  REPEATED,
];
/** Lengths in UTF-16 units, and how many texts of each. */
const TEXT_LENGTHS = [
  [512, 256],
  [2048, 96],
  [8192, 24],
  [32_768, 8],
];
const ROUNDS = Number(options.rounds);
const KIB = 1024;
const LENGTHS = [1, 16, 64, 256, 1024, 10 * 1024].map((kib) => kib * KIB);
const IMPORTS = 20;
const OPTIONS = {
  truth_scan: { knowledge: KNOWLEDGE },
  output_truth_scanner: { knowledge: KNOWLEDGE },
  contamination_check: { protected: PROTECTED },
  terms_scanner: { lists: [{ terms: ['blue heron'] }] },
};

const stages = STAGE_NAMES.map((name) => ({ name, options: OPTIONS[name] ?? {} }));
const built = stages.filter((stage) => canBuild(stage));
const missing = stages.filter((stage) => !built.includes(stage)).map(({ name }) => name);

if (options.child === undefined) {
  const result = {
    node: process.version,
    stagesNotBuilt: missing,
    kinds: (options.kind ?? KINDS).map(measureApart),
    ...(options.kind === undefined
      ? { lengths: await measureLengths(), import: measureImport(), weightBytes: weightBytes() }
      : {}),
  };
  if (options.json) console.log(JSON.stringify(result, null, 2));
  else report(result);
} else console.log(JSON.stringify(await measureKind(options.child)));

function canBuild(stage) {
  try {
    createPipeline({ stages: [stage] });
    return true;
  } catch (error) {
    if (error instanceof PipelineConfigError) return false;
    throw error;
  }
}

/** Microseconds of CPU for each call of `work`. */
async function costOf(work, count) {
  const before = process.cpuUsage();
  for (let turn = 0; turn < count; turn += 1) await work(turn);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

function matchAll(text) {
  let count = 0;
  for (const expression of EXPRESSIONS) {
    for (const _ of text.matchAll(expression)) count += 1;
  }
  return count;
}

/** The figures of a kind, measured in a process of its own. */
function measureApart(kind) {
  const others = AGAINST === undefined ? [] : ['--against', options.against];
  const args = [fileURLToPath(import.meta.url), '--child', kind, '--rounds', options.rounds];
  return JSON.parse(execFileSync(process.execPath, [...args, ...others], { encoding: 'utf8' }));
}

async function measureKind(kind) {
  const realTexts = kind === REPEATED ? undefined : createRealTexts();
  const against = AGAINST === undefined ? undefined : await import(AGAINST);
  const material = TEXT_LENGTHS.map(([length, count]) => {
    return { length, texts: textsOf(kind, realTexts?.(length, count), count, length) };
  });
  // Before any scan, since V8 may have compiled the five for less speed once there are many.
  for (const own of material) {
    own.unit = Number.POSITIVE_INFINITY;
    for (let round = 0; round < ROUNDS; round += 1) own.unit = await costOfUnit(own);
  }
  const lengths = [];
  for (const own of material) {
    lengths.push({
      length: own.length,
      ...(await measureTexts(own, subjectsOf(own.length, against))),
    });
  }
  return { kind, lengths };
}

/** @throws Error for a kind of which this machine has no texts: other texts would be measured in its name */
function textsOf(kind, realTexts, count, length) {
  if (realTexts === undefined) return makeTexts(count, length);
  const texts = realTexts.get(kind);
  if (texts === undefined) throw new Error(`This machine has no texts of the kind ${kind}.`);
  return texts;
}

/** What is measured at a length: the stages one by one only where the texts are short. */
function subjectsOf(length, against) {
  const all = { name: 'all stages', ...scanner(pipelinePackage, built) };
  const subjects = [all];
  if (against !== undefined) subjects.push({ name: 'against', ...scanner(against, built) });
  if (length > TEXT_LENGTHS[0][0]) return subjects;
  const context = [makeTexts(1, 2 * length)[0]];
  const pipeline = createPipeline({ stages: built });
  return [
    ...subjects,
    {
      name: 'all stages, with prompt and context',
      work: (response) => pipeline.scan({ prompt: PROMPT, response, context }),
    },
    { name: 'no stage', ...scanner(pipelinePackage, []) },
    ...built.map((stage) => ({ name: stage.name, work: workOf(stage, context) })),
  ];
}

function scanner({ createPipeline: create }, chosen) {
  const pipeline = create({ stages: chosen.map((stage) => ({ ...stage, timeoutMs: 3e5 })) });
  return { work: (response) => pipeline.scan({ response }) };
}

/** The least cost of the five expressions so far. The unit is awaited like the scans: the loop costs the same. */
async function costOfUnit({ texts, unit }) {
  const count = 4 * texts.length;
  return Math.min(unit, await costOf(async (turn) => matchAll(texts[turn % texts.length]), count));
}

/** The least cost of a text in microseconds of the five expressions and of each subject, in turns. */
async function measureTexts(own, subjects) {
  const { texts } = own;
  const least = subjects.map(() => Number.POSITIVE_INFINITY);
  // The shorter the texts, the more scans it takes until V8 has compiled everything.
  const rounds = own.length === TEXT_LENGTHS[0][0] ? 3 * ROUNDS : ROUNDS;
  for (let round = 0; round < rounds; round += 1) {
    own.unit = await costOfUnit(own);
    for (const [at, { work }] of subjects.entries()) {
      const cost = await costOf((turn) => work(texts[turn]), texts.length);
      least[at] = Math.min(least[at], cost);
    }
  }
  const row = ({ name }, at) => ({ name, microseconds: least[at], ratio: least[at] / own.unit });
  return { unitMicroseconds: own.unit, subjects: subjects.map(row) };
}

/** A stage that compares is measured with what it compares with, every other on the text alone. */
function workOf(stage, context) {
  const compares = ['hallucination_detector', 'truth_scan'].includes(stage.name);
  const pipeline = createPipeline({ stages: [stage] });
  return compares
    ? (response) => pipeline.scan({ prompt: PROMPT, response, context })
    : (response) => pipeline.scan({ response });
}

async function measureLengths() {
  const pipeline = createPipeline({ stages: built.map((stage) => ({ ...stage, timeoutMs: 3e5 })) });
  const rows = [];
  for (const length of LENGTHS) {
    const [response] = makeTexts(1, length);
    let least = Number.POSITIVE_INFINITY;
    for (let round = 0; round < (length > KIB * KIB ? 2 : 3); round += 1) {
      const count = Math.max(1, Math.round((128 * KIB) / length));
      least = Math.min(least, await costOf(() => pipeline.scan({ response }), count));
    }
    rows.push({ length, microsecondsPerKib: least / (length / KIB) });
  }
  return rows;
}

/** Fresh processes that import the package, in turns with some that import an empty module: medians of the differences. */
function measureImport() {
  const probe = (specifier) => {
    const script = `const cpu = process.cpuUsage(); const start = process.hrtime.bigint();
      await import('${specifier}');
      const milliseconds = Number(process.hrtime.bigint() - start) / 1e6;
      const { user, system } = process.cpuUsage(cpu);
      console.log(JSON.stringify([milliseconds, (user + system) / 1e3, process.memoryUsage().rss]));`;
    const args = ['--input-type=module', '-e', script];
    return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
  };
  const runs = Array.from({ length: IMPORTS }, () => {
    const empty = probe('data:text/javascript,export{}');
    return probe(PACKAGE).map((value, at) => value - empty[at]);
  });
  const [milliseconds, cpuMilliseconds, rssBytes] = [0, 1, 2].map((at) =>
    median(runs.map((run) => run[at])),
  );
  return { milliseconds, cpuMilliseconds, rssBytes };
}

function weightBytes() {
  const folder = new URL('../../packages/pipeline/models/', import.meta.url);
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.bin'))
      .reduce((sum, name) => sum + statSync(new URL(name, folder)).size, 0);
  } catch (error) {
    if (error.code === 'ENOENT') return 0;
    throw error;
  }
}

function median(values) {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)];
}

function report({ node, kinds, lengths: rows, ...rest }) {
  console.log(`multiples of five plain expressions over the same texts, ${node}`);
  if (rest.stagesNotBuilt.length > 0) console.log(`not built: ${rest.stagesNotBuilt.join(', ')}`);
  const ratio = (subjects, name) =>
    subjects.find((subject) => subject.name === name)?.ratio.toFixed(1);
  const byLength = kinds.map(({ kind, lengths }) => [
    kind,
    ...lengths.flatMap(({ length, unitMicroseconds, subjects }) => {
      const cells = [[`${length}`, ratio(subjects, 'all stages')]];
      if (AGAINST !== undefined) cells.push([`${length} against`, ratio(subjects, 'against')]);
      if (length === TEXT_LENGTHS[0][0]) cells.push(['unit, us', unitMicroseconds.toFixed(1)]);
      return cells;
    }),
  ]);
  table('all stages, by length', byLength);
  const names = kinds[0].lengths[0].subjects.map(({ name }) => name);
  const byStage = kinds.map(({ kind, lengths: [{ subjects }] }) => [
    kind,
    ...names.map((name) => [name, ratio(subjects, name)]),
  ]);
  table(`stages, ${TEXT_LENGTHS[0][0]} characters`, byStage);
  if (rows === undefined) return;
  table(
    'all stages up to 10 MiB of the twelve sentences, CPU us/KiB',
    rows.map(({ length, microsecondsPerKib }) => [
      `${length / KIB} KiB`,
      ['us/KiB', microsecondsPerKib.toFixed(1)],
    ]),
  );
  const { milliseconds, cpuMilliseconds, rssBytes } = rest.import;
  const megabytes = (bytes) => (bytes / KIB / KIB).toFixed(1);
  const cost = `${milliseconds.toFixed(1)} ms, ${cpuMilliseconds.toFixed(1)} ms of CPU`;
  console.log(`import: ${cost}, ${megabytes(rssBytes)} MiB of RSS more than an empty module`);
  console.log(`weights: ${megabytes(rest.weightBytes)} MiB`);
}

/** Prints rows of a name and of cells, each a column and a value, as a Markdown table. */
function table(title, rows) {
  const columns = rows[0].slice(1).map(([column]) => column);
  const lines = [[title, ...columns], [title, ...columns].map(() => '---')];
  for (const [name, ...cells] of rows) lines.push([name, ...cells.map(([, value]) => value)]);
  console.log(`\n${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}`);
}
