import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { createTestClock } from '@probity/test-support';
import { z } from 'zod';
import { createSessionIds } from '../../src/mcp/session-id.ts';
import { startCluster } from '../cluster/cluster-world.ts';
import { INJECTION_TEXTS } from '../texts.ts';
import { startGateway } from '../world.ts';
import type { McpBackend } from './world.ts';
import { configuration, connect, send, startBackend, startGuard } from './world.ts';

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

function build(server: McpServer): void {
  const text = { text: z.string() };
  server.registerTool('echo', { description: 'Repeats a text.', inputSchema: text }, (given) => ({
    content: [{ type: 'text', text: given.text }],
  }));
  const description = INJECTION_TEXTS.prompt_injection;
  server.registerTool('poisoned', { description }, () => ({ content: [] }));
}

/** A client of the SDK that goes on with a session. */
function resumed(url: string, token: string, sessionId: string) {
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp/tools`), {
    requestInit: { headers: { Authorization: `Bearer ${token}`, Connection: 'close' } },
    sessionId,
  });
  return { client: new Client({ name: 'client', version: '1.0.0' }), transport };
}

/** The ids of sessions that a server was sent. */
const sentTo = ({ received }: McpBackend) =>
  received.map(({ headers }) => headers['mcp-session-id']);

test('a session is of use only with the API key that began it, at the server where it was begun', async (t) => {
  const backend = await startBackend(t, { build });
  const clock = createTestClock();
  const servers = `{tools: {url: '${backend.url}'}, others: {url: '${backend.url}'}}`;
  const gateway = await startGateway(
    t,
    configuration(backend.url).replace(/\{tools.*\}\}/, `${servers}}`),
    { clock },
  );
  const other = gateway.addKey({ name: 'other' });
  // The file with the keys is looked at once a second.
  await clock.advance(1_000);
  const { client, transport } = await connect(t, gateway);
  const session = String(transport.sessionId);
  const headers = { 'Mcp-Session-Id': session };
  for (const init of [{}, { method: 'GET', body: null }, { method: 'DELETE', body: null }]) {
    const answer = await send({ url: gateway.url, token: other }, LIST, { ...init, headers });
    assert.equal(answer.status, 404);
    const { error } = (await answer.json()) as { error: { code: number } };
    assert.equal(error.code, -32_000);
  }
  const thief = resumed(gateway.url, other, session);
  await assert.rejects(
    thief.client.connect(thief.transport as Transport).then(() => thief.client.listTools()),
    /404|no such session/,
  );
  const elsewhere = await fetch(`${gateway.url}/mcp/others`, {
    method: 'POST',
    body: JSON.stringify(LIST),
    headers: {
      ...headers,
      Authorization: `Bearer ${gateway.token}`,
      'Content-Type': 'application/json',
    },
  });
  assert.equal(elsewhere.status, 404);
  // Of all that the other key sent, nothing has reached the server.
  const isOf = ({ method, body }: McpBackend['received'][number]) =>
    method === 'DELETE' || body.includes('tools/list');
  assert.equal(backend.received.some(isOf), false);
  assert.equal((await client.listTools()).tools.length, 1);
});

test('the id that the server knows opens nothing, nor does one that was changed', async (t) => {
  const backend = await startBackend(t, { build });
  const gateway = await startGuard(t, backend);
  const { transport } = await connect(t, gateway);
  const session = String(transport.sessionId);
  const known = sentTo(backend).find((id) => id !== undefined);
  assert.notEqual(known, session);
  const changed = `${session.slice(0, -1)}${session.endsWith('A') ? 'B' : 'A'}`;
  for (const id of [String(known), changed, `${session}.`, `${session}=`, 'x', '']) {
    const answer = await send(gateway, LIST, { headers: { 'Mcp-Session-Id': id } });
    assert.equal(answer.status, 404, id);
  }
});

test('a session goes on in every process, and after a restart, without anything that is stored', async (t) => {
  const backend = await startBackend(t, { build });
  const cluster = await startCluster(t, `mcp: {servers: {tools: {url: '${backend.url}'}}}\n`);
  const begun = resumed(cluster.url, cluster.token, '');
  const first = new StreamableHTTPClientTransport(new URL(`${cluster.url}/mcp/tools`), {
    requestInit: { headers: { Authorization: `Bearer ${cluster.token}`, Connection: 'close' } },
  });
  await begun.client.connect(first as Transport);
  t.after(() => begun.client.close());
  await begun.client.listTools();
  // Each call is a connection of its own, which any process takes.
  for (let count = 0; count < 12; count++) {
    const called = await begun.client.callTool({ name: 'echo', arguments: { text: `${count}` } });
    assert.deepEqual(called.content, [{ type: 'text', text: `${count}` }]);
    await assert.rejects(begun.client.callTool({ name: 'poisoned' }), { code: -32_602 });
  }
  assert.equal(new Set(sentTo(backend).filter((id) => id !== undefined)).size, 1);
  const [known] = sentTo(backend).filter((id) => id !== undefined);
  const again = createSessionIds(cluster.token, 'tools');
  assert.equal(again.open(String(first.sessionId)), known);
});
