import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CreateMessageRequestSchema,
  LoggingMessageNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { TestLifetime } from '@probity/test-support';
import { z } from 'zod';
import { startBackend, startGuard } from '../mcp/world.ts';
import { PLACES } from './both-ways.ts';

const PICTURE = Buffer.from(
  Array.from({ length: 900 }, (_, at) => (at * 7_919 + 13) % 251),
).toString('base64');

const build =
  (json: boolean) =>
  (server: McpServer): void => {
    server.registerTool(
      'find',
      {
        title: 'Find',
        description: 'Finds a place on the map.',
        inputSchema: { place: z.string(), limit: z.number().optional() },
        outputSchema: {
          place: z.string(),
          distance: z.number(),
          near: z.array(z.string()).nullable(),
        },
        annotations: { readOnlyHint: true, openWorldHint: false },
      },
      ({ place }) => {
        const structuredContent = { place, distance: 3.5, near: null };
        return {
          structuredContent,
          content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
        };
      },
    );
    server.registerTool('show', { description: 'Shows a place.' }, async (extra) => {
      if (!json)
        await extra.sendNotification({
          method: 'notifications/message',
          params: { level: 'info', logger: 'map', data: { tiles: 12 } },
        });
      return {
        content: [
          { type: 'text', text: 'Here it is.', annotations: { audience: ['user'], priority: 0.5 } },
          { type: 'image', data: PICTURE, mimeType: 'image/png' },
          {
            type: 'resource_link',
            uri: 'file:///maps/rome.png',
            name: 'rome',
            mimeType: 'image/png',
          },
          {
            type: 'resource',
            resource: { uri: 'file:///a.txt', mimeType: 'text/plain', text: 'a\r\nb' },
          },
        ],
        _meta: { 'example.org/took': 12 },
      };
    });
    server.registerTool('ask', { description: 'Asks the model of the client.' }, async () => {
      const { content } = await server.server.createMessage({
        messages: [{ role: 'user', content: { type: 'text', text: 'Which one?' } }],
        maxTokens: 20,
        modelPreferences: { hints: [{ name: 'claude' }], speedPriority: 0.5 },
      });
      return { content: [content as { type: 'text'; text: string }] };
    });
    server.registerTool('fail', { description: 'Fails.' }, () => {
      throw new Error('no map of that place');
    });
    server.registerPrompt('guide', { argsSchema: { place: z.string() } }, ({ place }) => ({
      description: 'A guide.',
      messages: [{ role: 'user', content: { type: 'text', text: `Guide me through ${place}.` } }],
    }));
    server.registerResource('map', 'maps://rome', { mimeType: 'application/json' }, ({ href }) => ({
      contents: [{ uri: href, mimeType: 'application/json', text: '{"zoom": 1.50}' }],
    }));
  };

async function session(
  t: TestLifetime,
  url: string,
  headers: Record<string, string>,
  json: boolean,
) {
  const client = new Client(
    { name: 'client', version: '1.0.0' },
    { capabilities: { sampling: {} } },
  );
  const logged: unknown[] = [];
  client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => ({
    model: 'm',
    role: 'assistant',
    content: { type: 'text', text: `The first of ${params.messages.length}.` },
  }));
  client.setNotificationHandler(
    LoggingMessageNotificationSchema,
    ({ params }) => void logged.push(params),
  );
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  await client.connect(transport as Transport);
  t.after(() => client.close());
  const found: unknown[] = [];
  for (const place of PLACES) {
    found.push(await client.callTool({ name: 'find', arguments: { place, limit: 2.5 } }));
  }
  return {
    server: client.getServerVersion(),
    capabilities: client.getServerCapabilities(),
    tools: await client.listTools(),
    prompts: await client.listPrompts(),
    resources: await client.listResources(),
    found,
    shown: await client.callTool({ name: 'show', arguments: {} }),
    // Requests and logs of a server come in streams alone.
    asked: json || (await client.callTool({ name: 'ask', arguments: {} })),
    failed: await client.callTool({ name: 'fail', arguments: {} }),
    guide: await client.getPrompt({ name: 'guide', arguments: { place: 'Rome' } }),
    map: await client.readResource({ uri: 'maps://rome' }),
    unknown: await client.callTool({ name: 'none', arguments: {} }).catch(String),
    ping: await client.ping(),
    logged,
  };
}

describe('the MCP client through the gateway', () => {
  for (const json of [false, true]) {
    it(`gets the same results ${json ? 'as JSON' : 'in streams'}`, async (t) => {
      const backend = await startBackend(t, { build: build(json), json });
      const gateway = await startGuard(t, backend);
      const direct = await session(t, backend.url, {}, json);
      const authorization = { Authorization: `Bearer ${gateway.token}` };
      const guarded = await session(t, `${gateway.url}/mcp/tools`, authorization, json);
      assert.deepEqual(guarded, direct);
      assert.equal(direct.found.length, PLACES.length);
    });
  }
});
