// The receivers, in a process of their own: HTTPS and HTTP servers that answer 200, at /hang only after 30 s, and
// keep the time at which each event arrived first.
//
//   fork('receiver.mjs', [HTTPS_SERVERS, HTTP_SERVERS])
import { createServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { testCertificate } from '../../test/support/dist/src/certificate.js';

const HANG_MS = 30_000;
/** Longer than any run, so that a kept connection is ended by its client. */
const KEEP_ALIVE_MS = 120_000;

const arrivals = new Map();
const [httpsCount, httpCount] = process.argv.slice(2).map(Number);
const { key, certificate, authority } = await testCertificate();
const servers = [
  ...Array.from({ length: httpsCount }, () =>
    createHttpsServer({ key, cert: certificate }, receive),
  ),
  ...Array.from({ length: httpCount }, () => createServer(receive)),
];
const urls = await Promise.all(servers.map(listen));
process.on('message', ({ taken }) => {
  if (taken === undefined) return;
  process.send({ arrivals: [...arrivals] });
  arrivals.clear();
});
process.on('disconnect', () => process.exit(0));
process.send({ https: urls.slice(0, httpsCount), http: urls.slice(httpsCount), authority });

function receive(request, response) {
  request.resume();
  request.on('end', () => {
    const id = request.headers['webhook-id'];
    if (!arrivals.has(id)) arrivals.set(id, performance.timeOrigin + performance.now());
    if (request.url === '/hang') setTimeout(() => response.end('ok'), HANG_MS);
    else response.end('ok');
  });
}

async function listen(server) {
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const scheme = server.setSecureContext ? 'https' : 'http';
  return `${scheme}://127.0.0.1:${server.address().port}`;
}
