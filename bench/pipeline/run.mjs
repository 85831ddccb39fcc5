// npm run pipeline -w @probity/bench [-- --json]
// What the stages cost, as a multiple of five plain regular expressions over the same text in the
// same run; how the cost grows with the length; what importing the package costs. CPU time of this
// process, the least of several rounds that take turns, since other work on the machine only adds.
import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { EXPRESSIONS, KNOWLEDGE, makeTexts, PROMPT, PROTECTED } from './material.mjs';

const PACKAGE = new URL('../../packages/pipeline/dist/src/index.js', import.meta.url).href;
const { createPipeline, PipelineConfigError, STAGE_NAMES } = await import(PACKAGE);

const LENGTH = 512;
const ROUNDS = 30;
const SCANS = 400;
const KIB = 1024;
const LENGTHS = [1, 16, 64, 256, 1024, 10 * 1024].map((kib) => kib * KIB);
const IMPORTS = 7;
const OPTIONS = {
  truth_scan: { knowledge: KNOWLEDGE },
  output_truth_scanner: { knowledge: KNOWLEDGE },
  contamination_check: { protected: PROTECTED },
};

const texts = makeTexts(64, LENGTH);
const context = [makeTexts(1, 2 * LENGTH)[0]];
const stages = STAGE_NAMES.map((name) => ({ name, options: OPTIONS[name] ?? {} }));
const built = stages.filter((stage) => canBuild(stage));
const missing = stages.filter((stage) => !built.includes(stage)).map(({ name }) => name);

const ratios = await measureRatios();
const lengths = await measureLengths();
const result = {
  node: process.version,
  stagesNotBuilt: missing,
  textLength: LENGTH,
  unitMicroseconds: ratios.unit,
  ratios: ratios.subjects,
  lengths,
  import: measureImport(),
  weightBytes: weightBytes(),
};
if (process.argv.includes('--json')) console.log(JSON.stringify(result, null, 2));
else report(result);

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

async function measureRatios() {
  const scanWith = (pipeline) => (turn) =>
    pipeline.scan({ prompt: PROMPT, response: texts[turn % texts.length], context });
  const alone = (pipeline) => (turn) => pipeline.scan({ response: texts[turn % texts.length] });
  const nothing = createPipeline({ stages: [] });
  const subjects = [
    { name: 'no stage', work: alone(nothing) },
    ...built.map((stage) => ({
      name: stage.name,
      work: workOf(stage, alone, scanWith),
    })),
    { name: 'all stages, response alone', work: alone(createPipeline({ stages: built })) },
    {
      name: 'all stages, with prompt and context',
      work: scanWith(createPipeline({ stages: built })),
    },
  ];
  const unit = { least: Number.POSITIVE_INFINITY };
  for (const subject of subjects) subject.least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round += 1) {
    // The unit is awaited like the scans, so that the loop around it costs the same.
    const regexes = await costOf(async (turn) => matchAll(texts[turn % texts.length]), SCANS * 4);
    unit.least = Math.min(unit.least, regexes);
    for (const subject of subjects) {
      subject.least = Math.min(subject.least, await costOf(subject.work, SCANS));
    }
  }
  return {
    unit: unit.least,
    subjects: subjects.map(({ name, least }) => ({
      name,
      microseconds: least,
      ratio: least / unit.least,
    })),
  };
}

/** A stage that compares is measured with what it compares with, every other on the text alone. */
function workOf(stage, alone, scanWith) {
  const compares = ['hallucination_detector', 'truth_scan'].includes(stage.name);
  const pipeline = createPipeline({ stages: [stage] });
  return compares ? scanWith(pipeline) : alone(pipeline);
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

/** A fresh process that imports the package, beside one that imports nothing. */
function measureImport() {
  const probe = (what) => {
    const script = `const before = performance.now();${what}
      console.log(JSON.stringify([performance.now() - before, process.memoryUsage().rss]));`;
    const args = ['--input-type=module', '-e', script];
    return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
  };
  const runs = Array.from({ length: IMPORTS }, () => ({
    bare: probe(''),
    loaded: probe(`await import('${PACKAGE}');`),
  }));
  return {
    milliseconds: median(runs.map(({ loaded }) => loaded[0])),
    rssBytes: median(runs.map(({ bare, loaded }) => loaded[1] - bare[1])),
  };
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

function report({ node, unitMicroseconds, ratios: subjects, lengths: rows, ...rest }) {
  console.log(`${LENGTH} characters, five expressions: ${unitMicroseconds.toFixed(2)} us, ${node}`);
  if (rest.stagesNotBuilt.length > 0) console.log(`not built: ${rest.stagesNotBuilt.join(', ')}`);
  console.table(
    subjects.map(({ name, microseconds, ratio }) => ({
      stages: name,
      'CPU us': microseconds.toFixed(1),
      'x five expressions': ratio.toFixed(1),
    })),
  );
  console.table(
    rows.map(({ length, microsecondsPerKib }) => ({
      KiB: length / KIB,
      'CPU us/KiB': microsecondsPerKib.toFixed(1),
    })),
  );
  const { milliseconds, rssBytes } = rest.import;
  const megabytes = (bytes) => (bytes / KIB / KIB).toFixed(1);
  console.log(`import: ${milliseconds.toFixed(1)} ms, ${megabytes(rssBytes)} MiB of RSS`);
  console.log(`weights: ${megabytes(rest.weightBytes)} MiB`);
}
