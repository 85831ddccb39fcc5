// npm run meaning -w @probity/bench [-- --rounds N]
// Cost of a text in the tier `meaning`: time of its vector and CPU of the process, by length; the longest
// wait of the event loop meanwhile; how much memory the process has, without the tier and with it.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { createMeaningEncoder } from '../../packages/pipeline/dist/src/backends/index.js';

const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '100' } } });
const ROUNDS = Number(options.rounds);
const WARM_UP = 20;
const TEXT =
  'I was wondering whether you could help me with a question about the parcel that I ordered last week. It never ' +
  'came, and the tracking page has said the same for six days, although the shop wrote that it would be here on ' +
  'Tuesday; now nobody answers my mails, the phone is always busy, and my neighbour, who sometimes takes parcels ' +
  'for me, knows nothing of it either. What would you do in my place, and how do I get my money back without a ' +
  'quarrel that takes months? I would be glad of a short answer in plain words, and of the address of your office.';

const never = new AbortController().signal;
const megabytes = () => Math.round(process.memoryUsage.rss() / 1e6);
const without = megabytes();
const encoder = createMeaningEncoder({ timeoutMs: 60_000 });
for (let round = 0; round < WARM_UP; round++) await encoder.embed([textOf(round, 300)], never);

console.log(
  '| UTF-16 units | time, ms: median | 95th percentile | CPU, ms: median | 95th percentile | event loop held, ms |',
);
console.log('| --- | --- | --- | --- | --- | --- |');
for (const length of [100, 512]) {
  const times = [];
  const work = [];
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  for (let round = 0; round < ROUNDS; round++) {
    const text = textOf(round, length);
    const begun = performance.now();
    const before = process.cpuUsage();
    await encoder.embed([text], never);
    const { user, system } = process.cpuUsage(before);
    work.push((user + system) / 1_000);
    times.push(performance.now() - begun);
  }
  delay.disable();
  const figures = [times, work].flatMap((values) => [
    quantile(values, 0.5),
    quantile(values, 0.95),
  ]);
  const held = delay.percentile(99) / 1e6;
  console.log(
    `| ${[length, ...[...figures, held].map((value) => value.toFixed(1))].join(' | ')} |`,
  );
}
console.log(`\nResident: ${without} MB without the tier, ${megabytes()} MB with it.`);
await encoder.close();

/** No text comes twice. */
function textOf(round, length) {
  return `${round} ${TEXT}`.slice(0, length);
}

function quantile(values, share) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)];
}
