// npm run webhook-crashes -w @probity/bench [-- --cycles N --only sqlite|postgres --verbose]
// Kills a server that sends webhooks, with SIGKILL, after a trigger, in deliveries and between retries in turn, and
// counts what is lost and what is sent twice. Both databases at a time.
import { parseArgs } from 'node:util';
import { KILL_MOMENTS, runCrashCycles } from '../../test/server/dist/crash-cycles.js';
import { emptyDatabases } from '../../test/server/dist/support.js';
import { acquirePostgres } from '../../test/support/dist/src/index.js';

const { values: flags } = parseArgs({
  options: {
    cycles: { type: 'string', default: '200' },
    only: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
});
const cleanUps = [];
const lifetime = { after: (cleanUp) => cleanUps.unshift(cleanUp) };

try {
  const engines = emptyDatabases.filter(({ name }) => (flags.only ?? name) === name);
  if (engines.some(({ name }) => name === 'postgres')) await acquirePostgres();
  console.table((await Promise.all(engines.map(runOn))).flat());
} finally {
  for (const cleanUp of cleanUps) await cleanUp();
}
process.exit(0);

async function runOn({ name, create }) {
  const location = await create(lifetime, 'disk');
  const cycles = await runCrashCycles(lifetime, location, Number(flags.cycles), (cycle) => {
    if (flags.verbose) console.log(JSON.stringify({ name, ...cycle }));
  });
  return KILL_MOMENTS.map((moment) => {
    const own = cycles.filter((cycle) => cycle.moment === moment);
    const sum = (of) => own.reduce((total, cycle) => total + of(cycle), 0);
    const recoveries = own.map(({ recoveryMs }) => recoveryMs).sort((left, right) => left - right);
    return {
      database: name,
      killed: moment,
      cycles: own.length,
      events: sum(({ events }) => events),
      lost: sum(({ lost }) => lost.length),
      'in flight': sum(({ inFlight }) => inFlight),
      'sent twice': sum(({ duplicates }) => duplicates),
      'more than in flight': own.filter(({ duplicates, inFlight }) => duplicates > inFlight).length,
      'recovery p50 ms': Math.round(recoveries[Math.floor(recoveries.length / 2)]),
      'longest ms': Math.round(recoveries.at(-1)),
    };
  });
}
