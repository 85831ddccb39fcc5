// npm run scan -w @probity/bench [-- ROUNDS [SECONDS]]
// An authenticated scan beside bare Koa routes, all up at once, measured in turns. What counts are
// the ratios within this run; the machine is shared and the numbers per second mean little.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CONNECTIONS, measureInTurns, summarize } from '../shared/measure.mjs';
import { bootstrap, PROBITY, startServer } from '../shared/server-process.mjs';

const rounds = Number(process.argv[2] ?? 5);
const seconds = Number(process.argv[3] ?? 4);
/** Until then the server's CPU per request falls, as V8 compiles. */
const WARM_UP_REQUESTS = 20_000;
const BARE = fileURLToPath(new URL('bare.mjs', import.meta.url));

const RESPONSE =
  'Thank you for writing to us. Your order has been packed and will leave the warehouse tomorrow ' +
  'morning; it usually takes two or three working days from there. You can follow it on the page ' +
  'that we linked in the confirmation. If the parcel does not arrive by the end of next week, ' +
  'answer this message and we will send a replacement at no cost. The invoice is attached as a ' +
  'document, and the warranty of the device is twenty-four months from the day of delivery. Kind ' +
  'regards, and enjoy the new coffee grinder.';
const BODY = JSON.stringify({ response: RESPONSE });

const LABELS = [
  'bare Koa, parse',
  'bare Koa, parse + pipeline',
  'bare Koa, parse + insert (FULL)',
  'bare Koa, parse + pipeline + insert (FULL)',
  'Probity scan',
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
  const database = `sqlite:${join(folder, 'probity.db')}`;
  const { api_key: key } = bootstrap(database, 'Bench', 'bench@example.com');
  const serve = [PROBITY, 'serve', '--port', '0', '--database', database];
  const insertInto = (name) => ['--insert', join(folder, `${name}.db`)];
  const programs = {
    parse: [BARE],
    scan: [BARE, '--scan'],
    insert: [BARE, ...insertInto('insert')],
    both: [BARE, '--scan', ...insertInto('both')],
    probity: serve,
  };
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
  const subjects = [];
  for (const [name, args] of Object.entries(programs)) {
    const server = await startServer(name, args, { folder });
    servers.push(server);
    const path = name === 'probity' ? '/api/v1/governance/scan' : '/';
    subjects.push({ server, request: { path, method: 'POST', headers, nextBody: () => BODY } });
  }
  const results = await measureInTurns(subjects, { rounds, seconds, warmUp: WARM_UP_REQUESTS });
  report(results.map(summarize));
}

function report(results) {
  console.log(
    `${RESPONSE.length} characters, ${CONNECTIONS} connections, median of ${rounds} x ${seconds} s, ` +
      `Node ${process.version}`,
  );
  console.table(
    results.map(({ cpuUs, perSecond, p99Ms }, index) => ({
      server: LABELS[index],
      'CPU us/request': cpuUs.toFixed(0),
      'CPU ratio': (cpuUs / results[0].cpuUs).toFixed(2),
      'requests/s': perSecond.toFixed(0),
      'p99 ms': p99Ms.toFixed(1),
    })),
  );
  const [parse, scan, insert, both, probity] = results.map(({ cpuUs }) => cpuUs);
  const sum = insert + (scan - parse);
  console.log(
    `the pipeline alone ${(scan - parse).toFixed(0)} us; with the insert route ${sum.toFixed(0)} us, ` +
      `of which Probity takes ${(probity / sum).toFixed(2)} times; ` +
      `${(probity / both).toFixed(2)} times the route that does both`,
  );
}
