import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createGuard, createPipeline } from '../src/index.ts';
import { isPlainIdentifier, isPlainName } from '../src/messages/identifiers.ts';
import { findSecrets } from '../src/secrets/index.ts';
import { PREFIXED_ROWS } from '../src/secrets/vendors/index.ts';

/** Identifiers and names as interfaces and SDKs make them, with other random letters. */
const IDENTIFIERS = [
  // OpenAI, Azure and servers with their interfaces
  'call_9kQ2mXvT4bLr7WzNc1YdHs0e',
  'call_0',
  'call_DdmO9pD3xa9XTPNJ32zg2hcA',
  'fc_67ca09c6bedc8190a7abfec07b1a1332096610f474011cc0',
  'fco_68a1b2c3d4e5f60718293a4b5c6d7e8f',
  'rs_67ccd2bf17f0819081ff3bb2cf6508e60bb6a6b452d3795b',
  'msg_67ccd2bf17f0819081ff3bb2cf6508e6',
  'resp_67ccd2bed1ec8190b14f964abc0542670bb6a6b452d3795b',
  'ws_67ccf18ef5fc8190b16dbee19bc54e5f087bb177ab789d5c',
  'fs_67ccd2bed1ec8190b14f964abc054267',
  'ci_68a1b2c3d4e5f60718293a4b5c6d7e8f',
  'ig_68a1b2c3d4e5f60718293a4b5c6d7e8f',
  'cu_67cc1234567abc8190b16dbee19bc54e5f',
  'mcp_682d4379df088191886b70f4ec39f90403937d5f622d7a90',
  'mcpl_682d4379df088191886b70f4ec39f904',
  'mcpr_682d498e3bd4819196a0ce1664f8e77b04ad1e533afccbfa',
  'chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT',
  'chatcmpl-123',
  'chatcmpl-tool-0e8c7a6b5d4f4e3c9b2a1d0f9e8c7b6a',
  'cmpl-uqkvlQyYK7bGYrRHQ0eXlWi7',
  'fp_44709d6fcb',
  'asst_abc123',
  'thread_8mR2vXq4TnL6wBz9sKd1HcYf',
  'run_Q1w2E3r4T5y6U7i8O9p0AsDf',
  'step_x1C2v3B4n5M6a7S8d9F0gHjK',
  'file-BK7bzQj3FfZFXr7DbL6xJwfo',
  'file_011CNha8iCJcU1wXNR6q4V8w',
  'vs_abc123def456',
  'batch_67d2ae1a8f1c8190b1c2d3e4f5a6b7c8',
  'cntr_682e30645a488191b6363a0cbefc0f0a66ec61b66250b4ef',
  'gpt-4o-2024-11-20',
  'gpt-4.1-mini',
  'o3-mini-2025-01-31',
  'ft:gpt-4o-mini:acme::9Xk2',
  'text-embedding-3-large',
  'chat.completion.chunk',
  'response',
  'web_search_preview_2025_03_11',
  // Anthropic, Bedrock and Vertex
  'toolu_01A09q90qw90lq917835lq9',
  'toolu_01T1x1fJ34qAmk2tNTrN7Up6',
  'toolu_vrtx_01AbCdEfGh2JkLmNoPqRsTu3',
  'toolu_bdrk_01AbCdEfGh2JkLmNoPqRsTu3',
  'tooluse_hbTgdi0CSLq_hM4P8csZJA',
  'srvtoolu_01WYG3ziw53XMcoyKL4XcZmE',
  'mcptoolu_014Q35RayjACSWkSj4X2yov1',
  'msg_01XFDUDYJgAACzvnptvVoYEL',
  'msg_bdrk_01AbCdEfGh2JkLmNoPqRsTu3',
  'req_011CSHoEeqs5C35K2UUqR7Fy',
  'container_011CPR5CNjB747bTd36fQLFk',
  'claude-3-5-sonnet-20241022',
  'claude-sonnet-4-5-20250929',
  'anthropic.claude-3-5-sonnet-20241022-v2:0',
  'us.anthropic.claude-sonnet-4-20250514-v1:0',
  'text_editor_20250728',
  'web_search_tool_result',
  // Vercel's AI SDK
  'aitxt-8KVvKQ8Rb2mXq4TnL6wBz9sK',
  'aiobj-mR2vXq4TnL6wBz9sKd1HcYf5',
  'txt-0',
  'reasoning-0',
  'msg-8KVvKQ8Rb2mXq4Tn',
  // LangChain
  'run-4f9a1c2e-7b3d-4e8f-9a6b-1c2d3e4f5a6b',
  'lc_run--4f9a1c2e-7b3d-4e8f-9a6b-1c2d3e4f5a6b',
  'run--4f9a1c2e-7b3d-4e8f-9a6b-1c2d3e4f5a6b-0',
  // MCP, Mistral, Kimi, Gemini and others
  '4f9a1c2e-7b3d-4e8f-9a6b-1c2d3e4f5a6b',
  'D681PevKs',
  'functions.get_weather:0',
  'gen-1731234567-AbCdEfGhIjKlMnOp',
  'gemini-2.5-pro-preview-05-06',
  'meta-llama/Llama-3.3-70B-Instruct',
  'mistral-large-2411',
  'mcp__github__create_issue',
  'get_weather',
  'createPullRequestReviewComment',
  '1',
  'tool_call_12',
];

// Put together, so that no scanner of source files takes them for keys.
const CLOUD_KEY = `AKIA${'Z7QTVXN3KLPD6WMR'}`;
const VENDOR_TOKEN = `ghp_${'R8vJ2mXq4TnL6wBz9sKd1HcYf5Gp0a3Ue7Wo'}`;
const VALUES = [
  '4539148803436467',
  '4539-1488-0343-6467',
  'call_4539148803436467',
  '536-22-8145',
  'call_536-22-8145',
  'DE89370400440532013000',
  CLOUD_KEY,
  VENDOR_TOKEN,
  'jane.roe@example.org',
];

const rules = ['pii_scanner', 'secrets_scanner', 'injection_scanner'].map((stage) => ({
  ...{ stage, action: 'redact' as const },
}));
const guard = createGuard({
  pipeline: createPipeline({
    stages: ['pii_scanner', 'secrets_scanner', 'injection_scanner'].map((name) => ({
      name: name as 'pii_scanner',
    })),
  }),
  policies: [{ id: 'p', name: 'Redact', rules }],
});

/** Places of a conversation that have an identifier, or a name. */
const PLACES: Readonly<Record<string, (text: string) => object[]>> = {
  'id of a call': (id) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name: 'f', arguments: '{}' } }],
    },
  ],
  'call of a result': (id) => [{ role: 'tool', tool_call_id: id, content: 'It is fine.' }],
  'name of a function': (name) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', type: 'function', function: { name, arguments: '{}' } }],
    },
  ],
  'use of a tool': (id) => [
    { role: 'assistant', content: [{ type: 'tool_use', id, name: 'f', input: {} }] },
  ],
  'name of a tool': (name) => [
    { role: 'assistant', content: [{ type: 'tool_use', id: 't', name, input: {} }] },
  ],
  'result of a use': (id) => [
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'Fine.' }] },
  ],
  item: (id) => [{ type: 'function_call', id, call_id: 'c', name: 'f', arguments: '{}' }],
  'call of an item': (id) => [{ type: 'function_call_output', call_id: id, output: 'Fine.' }],
  'call of the AI SDK': (toolCallId) => [
    {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId, toolName: 'f', input: {} }],
    },
  ],
  'name of the user': (name) => [{ role: 'user', name, content: 'Hi.' }],
  status: (status) => [{ type: 'web_search_call', id: 'w', status, action: {} }],
  'cache control': (ttl) => [
    {
      role: 'user',
      content: [{ type: 'text', text: 'Hi.', cache_control: { type: 'ephemeral', ttl } }],
    },
  ],
  'options of a provider': (user) => [
    { role: 'user', content: [{ type: 'text', text: 'Hi.', providerOptions: { a: { user } } }] },
  ],
  signature: (signature) => [
    { role: 'assistant', content: [{ type: 'thinking', thinking: 'Well.', signature }] },
  ],
};

describe('identifiers', () => {
  it('of interfaces are not read', () => {
    assert.ok(IDENTIFIERS.length >= 60);
    const read = IDENTIFIERS.filter((each) => !isPlainIdentifier(each) && !MAY_BE_READ.has(each));
    assert.deepEqual(read, []);
  });

  it('of interfaces have no finding, wherever they stand', async () => {
    for (const [place, write] of Object.entries(PLACES)) {
      for (const identifier of IDENTIFIERS) {
        const { findings } = await guard.check({ messages: write(identifier) });
        assert.deepEqual(findings, [], `${place}: ${identifier}`);
      }
    }
  });

  it('that are values are found and redacted, wherever they stand', async () => {
    for (const [place, write] of Object.entries(PLACES)) {
      for (const value of VALUES) {
        const { verdict, messages } = await guard.check({ messages: write(value) });
        const label = `${place}: ${value}`;
        assert.equal(verdict, 'flagged', label);
        assert.ok(!JSON.stringify(messages).includes(value), label);
      }
    }
  });

  it('are names of words and short numbers, or of a known form', () => {
    for (const value of VALUES) assert.ok(!isPlainName(value) && !isPlainIdentifier(value), value);
    for (const text of ['192.168.17.4', '555-867-5309', 'a b', '', `call_${VENDOR_TOKEN}`])
      assert.ok(!isPlainIdentifier(text), text);
  });
});

/** Forms of two prefixes, and of letters without one: they are read, and nothing is found. */
const MAY_BE_READ: ReadonlySet<string> = new Set([
  ...['toolu_vrtx_01AbCdEfGh2JkLmNoPqRsTu3', 'toolu_bdrk_01AbCdEfGh2JkLmNoPqRsTu3'],
  ...['msg_bdrk_01AbCdEfGh2JkLmNoPqRsTu3', 'tooluse_hbTgdi0CSLq_hM4P8csZJA', 'D681PevKs'],
  ...['run--4f9a1c2e-7b3d-4e8f-9a6b-1c2d3e4f5a6b-0', 'gen-1731234567-AbCdEfGhIjKlMnOp'],
]);

describe('keys of vendors as identifiers', () => {
  for (const { vendor, opens, body, type } of PREFIXED_ROWS) {
    // These have signs that no identifier has, or need a name near them.
    if (type === 'webhook_url' || vendor === 'Telegram' || body.includes('(?!')) continue;
    it(`a key of ${vendor} (${opens[0]}) is read, after the prefix of an identifier as well`, () => {
      const bodies = fc.sample(fc.stringMatching(new RegExp(`^${body}$`)), {
        numRuns: 10,
        seed: 1,
      });
      for (const open of opens) {
        // Signs that part words are rare in a key.
        for (const key of bodies.map((each) => open + each.replace(/[-_.=+/]/g, 'k'))) {
          if (findSecrets(key).length === 0) continue;
          assert.equal(isPlainIdentifier(key), false, key);
          for (const prefix of ['call_', 'toolu_', 'msg_', 'chatcmpl-']) {
            assert.equal(isPlainIdentifier(prefix + key), false, prefix + key);
          }
        }
      }
    });
  }
});
