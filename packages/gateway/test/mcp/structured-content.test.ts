import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { connect, send, serve, startGuard } from './world.ts';

const CARD = 4539148803436467;
const MAIL = 'jane@example.org';
const REDACTED = '[CREDIT_CARD_1]';
const text = (value: unknown) => [{ type: 'text', text: JSON.stringify(value) }];

/** Structured contents, with schemas that they fit until they are redacted. */
const CASES = [
  [{ card: CARD }, { properties: { card: { type: 'number' } } }],
  [
    { list: [{ card: CARD }] },
    {
      properties: { list: { type: 'array', items: { $ref: '#/$defs/item' } } },
      $defs: { item: { properties: { card: { type: 'integer', minimum: 1 } } } },
    },
  ],
  [{ [MAIL]: 1 }, { additionalProperties: false, properties: { [MAIL]: { type: 'number' } } }],
  [{ to: MAIL }, { properties: { to: { type: 'string', format: 'email' } } }],
  [{ to: MAIL }, { properties: { to: { enum: [MAIL] } } }],
  [{ to: MAIL }, { properties: { to: { const: MAIL } } }],
  [{ to: MAIL }, { properties: { to: { pattern: '^[a-z@.]+$', maxLength: 16 } } }],
  [{ ok: true }, { properties: { ok: { type: 'boolean' } } }],
] as const;

for (const redact of ['placeholder', 'mask']) {
  test(`the official client takes redacted results of tools with any output schema: ${redact}`, async (t) => {
    const backend = await serve(t, (_request, response, body) => {
      const { id, method, params } = JSON.parse(body || '{}');
      if (id === undefined) {
        response.writeHead(202).end();
        return;
      }
      const [content] = CASES[Number(params?.name?.slice(1) ?? 0)] as (typeof CASES)[number];
      const results: Record<string, unknown> = {
        initialize: {
          protocolVersion: params?.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 's', version: '1' },
        },
        'tools/list': {
          tools: CASES.map(([each, schema], index) => ({
            name: `t${index}`,
            inputSchema: { type: 'object' },
            outputSchema: { type: 'object', required: Object.keys(each), ...schema },
          })),
        },
        'tools/call': { content: text(content), structuredContent: content },
      };
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] }));
    });
    const gateway = await startGuard(t, backend, `redact: ${redact}`);
    const { client } = await connect(t, gateway);
    const { tools } = await client.listTools();
    assert.equal(tools.length, CASES.length);
    for (const [index, [content]] of CASES.entries()) {
      const result = (await client.callTool({ name: `t${index}` })) as CallToolResult;
      const [part] = result.content as unknown as [{ text: string }];
      const said = JSON.parse(part.text) as unknown;
      const isSame = 'to' in content || 'ok' in content;
      if (isSame) assert.deepEqual(result.structuredContent, said);
      else assert.equal(result.structuredContent, undefined);
      const all = JSON.stringify(result);
      assert.ok(!all.includes(String(CARD)) && !all.includes(MAIL), all);
    }
  });
}

test('a result without a text gets its redacted structured content as one', async (t) => {
  const backend = await serve(t, (_request, response) => {
    const result = { content: [], structuredContent: { card: CARD, id: 1 } };
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result }));
  });
  const gateway = await startGuard(t, backend, 'redact: placeholder');
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get' } };
  const { result } = (await (await send(gateway, call)).json()) as { result: unknown };
  assert.deepEqual(result, { content: text({ card: REDACTED, id: 1 }) });
});

test('the proxy passes output schemas and structured contents unchanged without redaction', async (t) => {
  const result = {
    tools: [{ name: 'f', inputSchema: { type: 'object' }, outputSchema: { type: 'object' } }],
  };
  const backend = await serve(t, (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result }));
  });
  const gateway = await startGuard(t, backend);
  const answer = await send(gateway, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
  assert.deepEqual(((await answer.json()) as { result: unknown }).result, result);
});
