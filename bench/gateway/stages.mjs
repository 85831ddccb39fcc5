// npm run gateway-stages -w @probity/bench [-- LENGTH [ROUNDS]]
// CPU of a scan under configurations of the gateway: with the seven stages, and with secrets_scanner, terms_scanner and
// protected texts beside them. Batches of 120 scans take turns in one process; other work on the machine makes batches
// dearer, never cheaper, so that the least and the lower quartile are told.
import { makeTexts } from '../pipeline/material.mjs';

const length = Number(process.argv[2] ?? 512);
const rounds = Number(process.argv[3] ?? 60);
const BATCH = 120;
const WARM_UP = 1_500;
const built = (name) => import(`../../packages/gateway/dist/src/${name}.js`);
const { readConfig } = await built('config/read-config');
const { createSnapshot } = await built('snapshot/snapshot');

const TEXTS = makeTexts(12, length);
let turn = 0;
const nextText = () => `Parcel ${turn}. ${TEXTS[turn++ % TEXTS.length]}`.slice(0, length);

const SEVEN = [
  ...['truth_scan', 'pii_scanner', 'injection_scanner', 'toxicity_scanner', 'contamination_check'],
  ...['hallucination_detector', 'output_truth_scanner'],
];
const terms = (count) => {
  const all = Array.from({ length: count }, (_, at) => `term ${at}x`);
  return `  terms_scanner: {lists: [{terms: ${JSON.stringify(all)}}]}\n`;
};
const house = makeTexts(40, 2_500).map((text, at) => `Section ${at} of the house rules. ${text}`);
const protectedTexts = `  contamination_check: {protected_texts: ${JSON.stringify(house)}}\n`;
const VARIANTS = {
  'seven stages': [[], ''],
  'and secrets': [['secrets_scanner'], ''],
  'and 2 terms': [['terms_scanner'], terms(2)],
  'and 10,000 terms': [['terms_scanner'], terms(10_000)],
  'and secrets and 2 terms': [['secrets_scanner', 'terms_scanner'], terms(2)],
  'and 100 kB of protected texts': [[], protectedTexts],
};

const pipelines = [];
for (const [further, options] of Object.values(VARIANTS)) {
  const stages = [...SEVEN, ...further].map((name) => `{name: ${name}}`).join(', ');
  const text = `scanning: {stages: [${stages}]}\nstage_config:\n${options}`;
  const { config } = await readConfig(Buffer.from(text), {}, '.');
  const { pipeline } = createSnapshot(config, { now: new Date() });
  await pipeline.preload();
  pipelines.push(pipeline);
}
for (const pipeline of pipelines) await cpuUsOf(pipeline, WARM_UP);
const results = pipelines.map(() => []);
for (let round = 0; round < rounds; round += 1) {
  for (const [index, pipeline] of pipelines.entries()) {
    results[index].push(await cpuUsOf(pipeline, BATCH));
  }
}
const at = (index, share) =>
  results[index].sort((left, right) => left - right)[Math.floor(results[index].length * share)];
console.log(`${length} characters, ${rounds} batches of ${BATCH} scans, CPU us of a scan`);
console.table(
  Object.keys(VARIANTS).map((stages, index) => ({
    stages,
    least: at(index, 0).toFixed(0),
    'lower quartile': at(index, 0.25).toFixed(0),
    'added, least': (at(index, 0) - at(0, 0)).toFixed(0),
    'added, lower quartile': (at(index, 0.25) - at(0, 0.25)).toFixed(0),
  })),
);

async function cpuUsOf(pipeline, count) {
  const before = process.cpuUsage();
  for (let each = 0; each < count; each += 1) await pipeline.scan({ response: nextText() });
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}
