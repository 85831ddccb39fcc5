import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import type { TestLifetime } from '@probity/test-support';
import { z } from 'zod';
import { endpoint } from '../../src/http/endpoint.ts';
import { generalErrors } from '../../src/http/error-format.ts';
import { serveKoa } from '../../src/testing/http.ts';
import { sampleRouter, serveKit } from './sample.ts';

/** Ten times a million chunks of one byte, so that parsing them and not doing so cannot be confused. */
const CHUNKS = Buffer.alloc(60_000_000, '1\r\nx\r\n');
/** Parsing all of them takes more than ten seconds. */
const MOST_CPU_MS = 5_000;

const open = endpoint({
  method: 'POST',
  path: '/open',
  operationId: 'open',
  summary: 'Take a body without a credential',
  tag: 'Open',
  permission: 'public',
  rateLimit: 'none',
  body: z.strictObject({ name: z.string() }),
  responses: { 204: { description: 'Taken' } },
  handler: async ({ reply }) => reply(204),
});

const router = () => sampleRouter({}, generalErrors, [open]);

const OURS = 'the server of Probity';
const hosts: Readonly<Record<string, (t: TestLifetime) => Promise<string>>> = {
  [OURS]: async (t) => (await serveKit(t, [router()])).url,
  'a server of a host': (t) => serveKoa(t, router()),
};

for (const [name, serve] of Object.entries(hosts)) {
  test(`a refused body of a million chunks is not parsed to its end by ${name}`, async (t) => {
    const url = new URL(await serve(t));
    const socket = connect(Number(url.port), url.hostname);
    t.after(() => socket.destroy());
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    const before = process.cpuUsage();
    const head = ['POST /open HTTP/1.1', 'Host: x', 'Content-Type: application/json'];
    socket.write(`${[...head, 'Transfer-Encoding: chunked'].join('\r\n')}\r\n\r\n`);
    socket.write(CHUNKS);
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    await new Promise((resolve) => socket.once('close', resolve));
    // The server of a host may reset a connection whose client goes on sending.
    assert.match(answer, name === OURS ? /^HTTP\/1\.1 413 / : /^(HTTP\/1\.1 413 |$)/);
    const { user, system } = process.cpuUsage(before);
    const cpuMs = (user + system) / 1_000;
    assert.ok(cpuMs < MOST_CPU_MS, `${cpuMs} ms`);
  });
}
