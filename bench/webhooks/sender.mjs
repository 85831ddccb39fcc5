// One sender, in a process of its own, told by messages what to do.
//
//   fork('sender.mjs', [KIND, JSON])
//
// The JSON has `endpoints` [{ url, tenant, ordered }], `location` of the database, `peers`, the folder of the packages, and
// `profile`, a file for a CPU profile from `start` to `stop`.
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const [kind, text] = process.argv.slice(2);
const SENDERS = {
  bare: () => import('./senders/bare.mjs'),
  bullmq: () => import('./senders/bullmq.mjs'),
  'pg-boss': () => import('./senders/pg-boss.mjs'),
  probity: () => import('./senders/probity.mjs'),
};
const { createSender } = await SENDERS[kind]();
const settings = JSON.parse(text);
const sender = await createSender(settings);
const FILLER = 'x'.repeat(1_000);
const ENQUEUED_AT_ONCE = 50;
const MEMORY_SAMPLE_MS = 25;
let lastNumber = 0;
let peakRss = 0;
setInterval(() => {
  peakRss = Math.max(peakRss, process.memoryUsage.rss());
}, MEMORY_SAMPLE_MS).unref();
const profiler = settings.profile ? new Session() : undefined;

const commands = {
  /** Stores events, one for each endpoint in turn; `start` sends them. */
  async enqueue({ count }) {
    for (let left = count; left > 0; left -= ENQUEUED_AT_ONCE) {
      const events = Array.from({ length: Math.min(left, ENQUEUED_AT_ONCE) }, nextEvent);
      await Promise.all(events.map(sender.enqueue));
    }
    return {};
  },
  async start() {
    profiler?.connect();
    await profiler?.post('Profiler.enable');
    await profiler?.post('Profiler.start');
    await sender.start();
    return {};
  },
  /** Stores events at a rate; answers when each was handed over. */
  async stream({ perSecond, seconds }) {
    const begin = now();
    const enqueued = [];
    const failures = [];
    for (let index = 0; index < perSecond * seconds; index += 1) {
      const waitMs = begin + (index * 1_000) / perSecond - now();
      if (waitMs > 0) await sleep(waitMs);
      const event = nextEvent();
      enqueued.push([event.id, now(), event.endpoint]);
      sender.enqueue(event).catch((error) => failures.push(String(error)));
    }
    return { enqueued, failures };
  },
  async cpu() {
    const { user, system } = process.cpuUsage();
    return { cpuUs: user + system };
  },
  /** The present memory, and the most since the last call. */
  async memory() {
    const answer = { rss: process.memoryUsage.rss(), peak: peakRss };
    peakRss = 0;
    return answer;
  },
  async stop() {
    const { profile } = (await profiler?.post('Profiler.stop')) ?? {};
    if (profile) writeFileSync(settings.profile, JSON.stringify(profile));
    await sender.stop();
    return {};
  },
};

process.on('message', async ({ command, ...rest }) => {
  const answer = await commands[command](rest).catch((error) => ({ error: String(error.stack) }));
  process.send(answer);
  if (command === 'stop') process.disconnect();
});
process.send({ ready: true });

function nextEvent() {
  const number = lastNumber;
  lastNumber += 1;
  const endpoint = number % settings.endpoints.length;
  return { id: `evt_${process.pid}_${number}`, endpoint, data: { number, filler: FILLER } };
}

function now() {
  return performance.timeOrigin + performance.now();
}
