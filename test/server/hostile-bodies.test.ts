import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ClientRequest } from 'node:http';
import { request } from 'node:http';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { bootstrap, call, emptyDatabases, serve, serveProcess } from './support.ts';

/** Larger than any body of a public endpoint. */
const MANY_BYTES = 40_000;

interface Operation {
  readonly operationId: string;
  readonly security: readonly unknown[];
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> };
}

/** Sends a body in chunks of one byte, until the server answers; returns the status. */
async function sendByteByByte(outgoing: ClientRequest): Promise<number> {
  outgoing.on('error', () => undefined);
  const response = once(outgoing, 'response');
  for (let sent = 0; sent < MANY_BYTES; sent += 1) {
    if (!outgoing.write('1') && outgoing.writableNeedDrain) await new Promise(setImmediate);
    if (outgoing.destroyed) break;
  }
  outgoing.end();
  const [answer] = await response;
  answer.resume();
  return answer.statusCode;
}

describe('bodies that occupy memory', () => {
  const sqlite = emptyDatabases.find(({ name }) => name === 'sqlite');
  assert.ok(sqlite);

  it('every public endpoint refuses a body of more than 16 KiB, sent byte by byte', async (t) => {
    const location = await sqlite.create(t);
    await bootstrap(location);
    const { url } = await serve(t, location);
    const { paths } = (await call(`${url}/openapi.json`, null)).body as {
      paths: Record<string, Record<string, Operation>>;
    };
    let tried = 0;
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, { security, requestBody, operationId }] of Object.entries(methods)) {
        if (security.length > 0 || !requestBody) continue;
        const [type = ''] = Object.keys(requestBody.content);
        const headers = { 'Content-Type': type };
        const outgoing = request(url + path, { method: method.toUpperCase(), headers });
        assert.equal(await sendByteByByte(outgoing), 413, operationId);
        tried += 1;
      }
    }
    assert.ok(tried > 3, `${tried} operations`);
    assert.equal((await call(`${url}/api/status`, null)).status, 200);
  });

  it('20 bodies of 1 MiB with a quarter of a million values each end no process with a heap of 192 MiB', async (t) => {
    const location = await sqlite.create(t);
    const { api_key: key } = await bootstrap(location);
    const env = { NODE_OPTIONS: '--max-old-space-size=192' };
    const { url, program } = await serveProcess(t, location, { env });
    const context = `[${'"a",'.repeat(250_000)}"a"]`;
    const body = `{"response": "All is well.", "context": ${context}}`;
    const scan = () =>
      fetch(`${url}/api/v1/governance/scan`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        body,
      }).then(({ status }) => status);
    const statuses = await Promise.all(Array.from({ length: 20 }, scan));
    assert.deepEqual(
      statuses.filter((status) => ![200, 422, 503].includes(status)),
      [],
    );
    assert.equal((await call(`${url}/api/status`, null)).status, 200);
    await program.terminate();
  });

  it('a request whose body becomes malformed ends, and is logged as it was answered', async (t) => {
    const { url, program } = await serve(t, await sqlite.create(t));
    const client = connect(Number(new URL(url).port), '127.0.0.1');
    t.after(() => client.destroy());
    const head = ['POST /v1/auth/login HTTP/1.1', 'Host: x', 'Content-Type: application/json'];
    const headers = [...head, 'Transfer-Encoding: chunked', 'Expect: 100-continue'];
    client.write(`${headers.join('\r\n')}\r\n\r\n`);
    const [interim] = await once(client, 'data');
    assert.match(String(interim), /^HTTP\/1\.1 100 /);
    client.write('2\r\n{"\r\nZZ\r\n');
    const [answer] = await once(client, 'data');
    assert.match(String(answer), /^HTTP\/1\.1 400 /);
    const line = await program.waitForLine(({ path }) => path === '/v1/auth/login');
    assert.equal(line.status, 400);
  });

  it('pipelined requests whose answers are never read neither end nor delay a process with a heap of 96 MiB', async (t) => {
    const location = await sqlite.create(t);
    await bootstrap(location);
    const env = { NODE_OPTIONS: '--max-old-space-size=96' };
    const { url, program } = await serveProcess(t, location, { env });
    const { port, hostname } = new URL(url);
    const timeOfCalls = async (count: number) => {
      const times: number[] = [];
      for (let made = 0; made < count; made += 1) {
        const startedAt = performance.now();
        assert.equal((await call(`${url}/api/status`, null)).status, 200);
        times.push(performance.now() - startedAt);
      }
      return times;
    };
    const controlMs = (await timeOfCalls(300)).reduce((sum, each) => sum + each, 0);
    const pipelined = 'GET /none HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(30_000);
    const open = Array.from({ length: 50 }, () => {
      const socket = connect(Number(port), hostname).on('error', () => undefined);
      socket.pause();
      socket.write(pipelined);
      return socket;
    });
    t.after(() => {
      for (const socket of open) socket.destroy();
    });
    const slowestMs = Math.max(...(await timeOfCalls(20)));
    // A server that goes on reading needs the time of 1,500,000 requests.
    assert.ok(slowestMs < 3 * controlMs, `${slowestMs} ms; 300 calls before: ${controlMs} ms`);
    await program.terminate();
  });
});
