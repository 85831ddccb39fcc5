import { z } from 'zod';
import { httpUrl, word } from './forms.ts';
import { flag, key, oneOf, section, textOf, whole } from './key-kinds.ts';

const serverId = textOf('a name of 1 to 64 letters, digits, - and _', /^[A-Za-z0-9_-]{1,64}$/);

const server = z.strictObject({
  enabled: key(flag(true), 'L', 'Whether the server may be reached at `/mcp/<id>`.'),
  url: key(
    httpUrl('https://tools.example.com/mcp'),
    'L',
    "The server's Streamable HTTP endpoint.",
    {
      'x-example': 'http://127.0.0.1:3001/mcp',
    },
  ),
  authorization: key(
    word.optional(),
    'L',
    'What is sent to the server as the header Authorization, such as `Bearer $' + '{NAME}`.',
    { 'x-secret': true },
  ),
  allowed_tools: key(
    z.record(word, z.array(word)).optional(),
    'L',
    'The tools that each API key may see and call, by its name; `*` at the end of a tool stands for any ending, `*` in place of a key for every key.',
    { 'x-without': 'every tool for every key', 'x-example': { app: ['search', 'read_*'] } },
  ),
  redact: key(
    oneOf(['off', 'placeholder', 'mask'], 'off'),
    'L',
    'How personal data is replaced in both directions; off refuses what blocks.',
  ),
  binary: key(
    oneOf(['pass', 'refuse'], 'pass'),
    'L',
    'Whether images, sounds and files without text are passed on unscanned, or refused.',
  ),
  timeout_ms: key(
    whole(1, 3_600_000, 60_000),
    'L',
    'Time in milliseconds until the server begins to answer.',
  ),
});

/** The keys below `mcp`. */
export const mcpKeys = section('MCP servers that are reached through the gateway.', {
  servers: key(z.record(serverId, server).default({}), 'L', 'The servers by their ids.'),
});

/** A server of `mcp.servers`. */
export type McpServerConfig = z.output<typeof server>;
