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
const BARE = fileURLToPath(new URL('bare.mjs', import.meta.url));

const RESPONSE =
  'Thank you for writing to us. Your order has been packed and will leave the warehouse tomorrow ' +
  'morning; it usually takes two or three working days from there. You can follow it on the page ' +
  'that we linked in the confirmation. If the parcel does not arrive by the end of next week, ' +
  'answer this message and we will send a replacement at no cost. The invoice is attached as a ' +
  'document, and the warranty of the device is twenty-four months from the day of delivery. Kind ' +
  'regards, and enjoy the new coffee grinder.';
const BODY = JSON.stringify({ response: RESPONSE });

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
  const bare = join(folder, 'bare.db');
  const serve = [PROBITY, 'serve', '--port', '0', '--database', database];
  servers.push(await startServer('parse', [BARE], { folder }));
  servers.push(await startServer('insert', [BARE, bare], { folder }));
  servers.push(await startServer('probity', serve, { folder }));
  const names = ['bare Koa, parse', 'bare Koa, parse + insert (FULL)', 'Probity scan'];
  const paths = ['/', '/', '/api/v1/governance/scan'];
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
  const subjects = servers.map((server, index) => ({
    server,
    request: { path: paths[index], method: 'POST', headers, nextBody: () => BODY },
  }));
  report(names, (await measureInTurns(subjects, { rounds, seconds })).map(summarize));
}

function report(names, results) {
  console.log(
    `${RESPONSE.length} characters, ${CONNECTIONS} connections, median of ${rounds} x ${seconds} s, ` +
      `Node ${process.version}`,
  );
  console.table(
    results.map(({ cpuUs, perSecond, p99Ms }, index) => ({
      server: names[index],
      'CPU us/request': cpuUs.toFixed(0),
      'CPU ratio': (cpuUs / results[0].cpuUs).toFixed(2),
      'requests/s': perSecond.toFixed(0),
      'p99 ms': p99Ms.toFixed(1),
    })),
  );
}
