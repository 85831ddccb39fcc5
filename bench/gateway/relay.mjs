// node bench/gateway/relay.mjs --upstream URL [--http]
// What one more process between client and model costs at least: bytes passed on from socket to socket, or, with
// --http, requests and answers passed on by node:http, read by nobody.
import { Agent, createServer as createHttpServer, request as send } from 'node:http';
import { connect, createServer } from 'node:net';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { upstream: { type: 'string' }, http: { type: 'boolean', default: false } },
});
const { hostname: host, port } = new URL(values.upstream);

function passBytes(client) {
  const upstream = connect({ host, port: Number(port), noDelay: true });
  client.pipe(upstream).pipe(client);
  client.on('error', () => upstream.destroy());
  upstream.on('error', () => client.destroy());
}

const agent = new Agent({ keepAlive: true });

function passRequest(request, response) {
  const { url: path, method, headers } = request;
  const forwarded = send({ agent, host, port, path, method, headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  forwarded.on('error', () => response.destroy());
  request.pipe(forwarded);
}

const server = values.http
  ? createHttpServer({ keepAliveTimeout: 60_000 }, passRequest)
  : createServer({ noDelay: true }, passBytes);
server.listen(0, '127.0.0.1', () => {
  const url = `http://127.0.0.1:${server.address().port}`;
  console.log(JSON.stringify({ message: 'listening', url }));
});
