// The receivers, in a process of their own: HTTPS and HTTP servers that answer 200, at /hang only after 30 s, and
// keep the time at which each event arrived first. Once they are told to be hostile, /flood sends 1 GiB and /bomb
// 1 GiB of zeros in gzip.
//
//   fork('receiver.mjs', [HTTPS_SERVERS, HTTP_SERVERS])
import { createServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { gzipSync } from 'node:zlib';
import { testCertificate } from '../../test/support/dist/src/certificate.js';

const HANG_MS = 30_000;
/** Longer than any run, so that a kept connection is ended by its client. */
const KEEP_ALIVE_MS = 120_000;

const CHUNK = Buffer.alloc(65_536, 'x');
const CHUNKS = 2 ** 30 / CHUNK.length;
/** Parts of a gzip file that follow each other are one file. */
const BOMB_PART = gzipSync(Buffer.alloc(2 ** 26), { level: 9 });
const BOMB = Buffer.concat(Array.from({ length: 16 }, () => BOMB_PART));

const arrivals = new Map();
let isHostile = false;
let hostileBytes = 0;
const [httpsCount, httpCount] = process.argv.slice(2).map(Number);
const { key, certificate, authority } = await testCertificate();
const servers = [
  ...Array.from({ length: httpsCount }, () =>
    createHttpsServer({ key, cert: certificate }, receive),
  ),
  ...Array.from({ length: httpCount }, () => createServer(receive)),
];
const urls = await Promise.all(servers.map(listen));
process.on('message', ({ taken, hostile }) => {
  isHostile ||= hostile === true;
  if (taken === undefined) return;
  process.send({ arrivals: [...arrivals], hostileBytes });
  arrivals.clear();
});
process.on('disconnect', () => process.exit(0));
process.send({ https: urls.slice(0, httpsCount), http: urls.slice(httpsCount), authority });

function receive(request, response) {
  request.resume();
  request.on('end', () => {
    const id = request.headers['webhook-id'];
    if (!arrivals.has(id)) arrivals.set(id, performance.timeOrigin + performance.now());
    if (isHostile && request.url === '/flood') return flood(response);
    if (isHostile && request.url === '/bomb') {
      hostileBytes += BOMB.length;
      return response.setHeader('content-encoding', 'gzip').end(BOMB);
    }
    if (request.url === '/hang') setTimeout(() => response.end('ok'), HANG_MS);
    else response.end('ok');
  });
}

/** Sends 1 GiB as fast as it is read. */
function flood(response) {
  let sent = 0;
  const send = () => {
    while (sent < CHUNKS && !response.destroyed) {
      sent += 1;
      hostileBytes += CHUNK.length;
      if (!response.write(CHUNK)) return;
    }
    response.end();
  };
  response.on('drain', send);
  send();
}

async function listen(server) {
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const scheme = server.setSecureContext ? 'https' : 'http';
  return `${scheme}://127.0.0.1:${server.address().port}`;
}
