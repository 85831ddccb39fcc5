// npm run platform -w @probity/bench [-- --rounds N --seconds S --only NAME --json --profile FOLDER]
// Operations of the platform interface beside a bare Koa program that reads and writes the same
// rows, both up at once, measured in turns. What counts are the ratios within this run; the machine
// is shared, and the numbers per second mean little.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CONNECTIONS, measureInTurns, summarize } from '../shared/measure.mjs';
import { PROBITY, startServer } from '../shared/server-process.mjs';
import { FEW_MEMBERS, MEMBERS, seed } from './seed.mjs';

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '3' },
    only: { type: 'string' },
    json: { type: 'boolean', default: false },
    profile: { type: 'string' },
  },
});
const BARE = fileURLToPath(new URL('bare.mjs', import.meta.url));
const PAGE = 100;

/** What is measured, with the ratio that it must not exceed. */
const OPERATIONS = [
  {
    name: `get organization of ${FEW_MEMBERS}`,
    bar: 1.5,
    organization: 'small',
    toRequest: ({ id }) => ({ path: `/v1/organizations/${id}` }),
  },
  {
    name: `get organization of ${MEMBERS}`,
    bar: 1.5,
    organization: 'large',
    toRequest: ({ id }) => ({ path: `/v1/organizations/${id}` }),
  },
  {
    name: `list ${PAGE} of ${MEMBERS} members`,
    bar: 1.5,
    organization: 'large',
    toRequest: ({ id }) => ({ path: `/v1/organizations/${id}/members?limit=${PAGE}` }),
  },
  {
    name: 'create member',
    bar: 2,
    organization: 'growing',
    toRequest: ({ id }, nextBody) => ({
      path: `/v1/organizations/${id}/members`,
      method: 'POST',
      nextBody,
    }),
  },
];

const folder = mkdtempSync(join(tmpdir(), 'probity-bench-'));
const servers = [];
try {
  await run();
} finally {
  for (const server of servers) await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function run() {
  const world = await seed(folder);
  const start = { folder, profileFolder: flags.profile };
  // Mailing the invitations is another process's work: the peer has none.
  const ours = ['serve', '--port', '0', '--role', 'api', '--database', `sqlite:${world.ours}`];
  servers.push(await startServer('bare', [BARE, world.peers, world.sealingKey], start));
  servers.push(await startServer('probity', [PROBITY, ...ours], start));
  const results = [];
  for (const operation of OPERATIONS) {
    if (flags.only && !operation.name.startsWith(flags.only)) continue;
    results.push(await compare(operation, world));
  }
  report(results);
}

async function compare({ name, bar, organization: which, toRequest }, world) {
  const organization = world[which];
  const headers = {
    authorization: `Bearer ${organization.key}`,
    'content-type': 'application/json',
  };
  const subjects = servers.map((server) => ({
    server,
    request: { ...toRequest(organization, bodies()), headers },
  }));
  const rounds = Number(flags.rounds);
  const [bare, probity] = await measureInTurns(subjects, {
    rounds,
    seconds: Number(flags.seconds),
  });
  const ratios = bare.map(({ cpuUs }, round) => probity[round].cpuUs / cpuUs);
  const [of, to] = [summarize(probity), summarize(bare)];
  return {
    name,
    bar,
    bare: to,
    probity: of,
    ratio: of.cpuUs / to.cpuUs,
    lowest: Math.min(...ratios),
    highest: Math.max(...ratios),
  };
}

/** Members to create, each another person. */
function bodies() {
  let count = 0;
  return () => {
    count += 1;
    const email = `person-${count}-${Math.random().toString(36).slice(2)}@example.com`;
    return JSON.stringify({ email, name: `Person ${count}`, role: 'viewer' });
  };
}

function report(results) {
  if (flags.json) {
    const { rounds, seconds } = flags;
    const setting = { node: process.version, connections: CONNECTIONS, rounds, seconds };
    console.log(JSON.stringify({ ...setting, results }, null, 2));
    return;
  }
  console.log(
    `CPU time of the server process per request, ${CONNECTIONS} connections, medians of ` +
      `${flags.rounds} x ${flags.seconds} s, Node ${process.version}`,
  );
  console.table(
    results.map(({ name, bar, bare, probity, ratio, lowest, highest }) => ({
      operation: name,
      'bare us': Math.round(bare.cpuUs),
      'Probity us': Math.round(probity.cpuUs),
      ratio: ratio.toFixed(2),
      bar,
      'of single rounds': `${lowest.toFixed(2)}-${highest.toFixed(2)}`,
      'bare/s': Math.round(bare.perSecond),
      'Probity/s': Math.round(probity.perSecond),
    })),
  );
}
