import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { createSecretBox, ProbityError, systemRandom } from '@probity/core';
import type { Policy } from '@probity/pipeline';
import { sampleTargets } from '@probity/test-support/combinations';
import type { ScanFinding } from '../../src/index.ts';
import { createApi } from '../api.ts';
import { BENIGN, createWorld, EMAIL, INJECTION, SSN, targets } from '../world.ts';

const REDACT: Policy = {
  ...{ id: 'pol_redact', name: 'Redact', enabled: true },
  rules: [{ stage: 'pii_scanner', types: ['email'], action: 'redact' }],
};

/** One conversation in the forms of three interfaces, with the paths of the addresses in it. */
const FORMS: Readonly<Record<string, { messages: readonly object[]; paths: readonly string[] }>> = {
  'chat completions': {
    messages: [
      { role: 'system', content: `Answer as ${EMAIL}.` },
      { role: 'user', content: [{ type: 'text', text: `😀 I am ${EMAIL}` }] },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'c',
            type: 'function',
            function: { name: 'find', arguments: JSON.stringify({ 'home page': [EMAIL] }) },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'c', content: JSON.stringify({ hits: [{ to: EMAIL }] }) },
      { role: 'assistant', content: `Found ${EMAIL}.` },
    ],
    paths: [
      '[0].content',
      '[1].content[0].text',
      '[2].tool_calls[0].function.arguments["home page"][0]',
      '[3].content.hits[0].to',
      '[4].content',
    ],
  },
  responses: {
    messages: [
      { role: 'user', content: [{ type: 'input_text', text: EMAIL }] },
      { type: 'function_call', call_id: 'c', name: 'f', arguments: JSON.stringify({ to: EMAIL }) },
      { type: 'function_call_output', call_id: 'c', output: EMAIL },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: EMAIL }] },
    ],
    paths: ['[0].content[0].text', '[1].arguments.to', '[2].output', '[3].content[0].text'],
  },
  Anthropic: {
    messages: [
      { role: 'user', content: EMAIL },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'c', name: 'f', input: { to: EMAIL } }],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: EMAIL }] },
    ],
    paths: ['[0].content', '[1].content[0].input.to', '[2].content[0].content'],
  },
};

for (const [form, { messages, paths }] of Object.entries(FORMS)) {
  test(`a scan of messages of the form of ${form} finds every address at its path, and redacts it there`, async (t) => {
    const api = await createApi(t, { policies: [REDACT] });
    const { status, body } = await api.postScan({ messages });
    assert.equal(status, 200);
    const { findings, redacted, id } = body.data;
    assert.deepEqual(findings.map(({ path }: ScanFinding) => path).sort(), [...paths].sort());
    for (const { field, path, start, end } of findings) {
      assert.equal(field, 'messages');
      assert.equal(textAt(messages, path).slice(start, end), EMAIL, path);
    }
    const expected = JSON.stringify(messages).replaceAll(EMAIL, '[EMAIL_1]');
    assert.deepEqual(redacted, { messages: JSON.parse(expected) });
    const record = await api.request('GET', `/governance/scans/${id}`);
    const { promptHash, responseHash, messagesHash, findings: stored } = record.body.data;
    const hash = createHash('sha256').update(JSON.stringify(messages)).digest('hex');
    assert.deepEqual([promptHash, responseHash, messagesHash], [null, null, hash]);
    assert.deepEqual(stored, findings);
    assert.ok(!JSON.stringify(record.body).includes(EMAIL));
    const events = await api.events();
    assert.deepEqual(
      events.map(({ type }) => type),
      ['alert.created', 'policy.violated'],
    );
    assert.match(String(events[0]?.data.message), /in messages; the scan was flagged\.$/);
  });
}

/** The text at a path, through JSON in texts. */
function textAt(messages: readonly object[], path: string): string {
  const keys = [...path.matchAll(/\[("(?:[^"\\]|\\.)*"|\d+)\]|\.([^.[]+)/g)].map(
    ([, inBrackets, name]) => name ?? JSON.parse(String(inBrackets)),
  );
  let at: unknown = messages;
  for (const key of keys) {
    const value = typeof at === 'string' ? JSON.parse(at) : at;
    at = (value as Record<string, unknown>)[key];
  }
  return String(at);
}

test('a conversation is blocked for what any message holds, and recorded so', async (t) => {
  const api = await createApi(t);
  const messages = [
    { role: 'user', content: `My SSN is ${SSN}.` },
    { role: 'assistant', content: 'Thank you.' },
    { role: 'user', content: 'And now?' },
  ];
  const { status, body } = await api.postScan({ messages });
  assert.equal(status, 403);
  assert.equal(body.error.code, 'PII_DETECTED');
  const [finding] = body.governance.findings;
  assert.deepEqual(
    [finding.field, finding.path, finding.action],
    ['messages', '[0].content', 'block'],
  );
  const injected = await api.postScan({
    messages: [
      { role: 'user', content: 'Read the page.' },
      { role: 'assistant', content: null, tool_calls: [{ function: { arguments: '{}' } }] },
      { role: 'tool', content: JSON.stringify({ page: INJECTION }) },
    ],
  });
  assert.equal(injected.body.error.code, 'INJECTION_ATTEMPT_DETECTED');
  assert.equal(injected.body.governance.findings[0].path, '[2].content.page');
  const list = await api.request('GET', '/governance/scans?verdict=blocked&type=ssn');
  assert.deepEqual(
    list.body.data.map(({ id }: { id: string }) => id),
    [body.governance.scan_id],
  );
});

test('a scan takes passages beside messages, and says which parts it did not scan', async (t) => {
  const api = await createApi(t, { policies: [REDACT] });
  const { body } = await api.postScan({
    messages: [
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:' } }] },
      { role: 'assistant', content: BENIGN },
    ],
    context: ['nothing', `Write to ${EMAIL}.`],
  });
  assert.deepEqual(body.data.skipped, [{ path: '[0].content[0]', type: 'image_url' }]);
  const [finding] = body.data.findings;
  assert.deepEqual(
    [finding?.field, finding?.contextIndex, finding?.path],
    ['context', 1, undefined],
  );
  assert.equal('redacted' in body.data, false);
});

test('the name of a member of a tool’s arguments is scanned, and said to be one', async (t) => {
  const api = await createApi(t, { policies: [REDACT] });
  const call = { type: 'tool_use', name: 'f', input: { [EMAIL]: 1 } };
  const { body } = await api.postScan({ messages: [{ role: 'assistant', content: [call] }] });
  const [finding] = body.data.findings;
  assert.deepEqual(
    [finding.path, finding.inName, finding.start, finding.end],
    [`[0].content[0].input["${'*'.repeat(EMAIL.length)}"]`, true, 0, EMAIL.length],
  );
});

test('bad messages are 422 with every bad field, beside those of other members', async (t) => {
  const api = await createApi(t);
  const fieldsOf = async (body: unknown) => {
    const answer = await api.postScan(body);
    assert.equal(answer.status, 422, JSON.stringify(answer.body));
    return answer.body.error.details.map(({ field }: { field: string }) => field).sort();
  };
  const messages = [
    { role: 'robot', content: 'a' },
    'hello',
    { role: 'user', content: [{ type: 'text', text: 5 }] },
    { role: 'assistant', content: null, tool_calls: [3] },
  ];
  const bad = [
    'messages.0.role',
    'messages.1',
    'messages.2.content.0.text',
    'messages.3.tool_calls.0',
  ];
  assert.deepEqual(await fieldsOf({ messages }), bad);
  assert.deepEqual(
    await fieldsOf({ messages, response: 'a', prompt: 'b', redaction: 'x', other: 1 }),
    [...bad, 'other', 'prompt', 'redaction', 'response'],
  );
  assert.deepEqual(await fieldsOf({ messages: [] }), ['messages']);
  assert.deepEqual(await fieldsOf({ messages: {} }), ['messages']);
  assert.deepEqual(await fieldsOf({ messages: null }), ['response']);
  assert.deepEqual(await fieldsOf({ prompt: 'a', aiSystemId: 'x' }), ['aiSystemId', 'response']);
  assert.deepEqual(
    await fieldsOf({ messages: Array(10_001).fill({ role: 'user', content: '' }) }),
    ['messages'],
  );
});

test('in code, bad messages are an error with every field as well', async (t) => {
  const { scan, context } = await createWorld(t);
  const messages = [{ role: 'robot' }, { role: 'user', content: 1 }];
  await assert.rejects(scan(context, { messages, response: 'a' }), (error) => {
    assert.ok(error instanceof ProbityError);
    assert.deepEqual(
      error.details?.map(({ field }) => field),
      ['response', 'messages.0.role', 'messages.1.content'],
    );
    return true;
  });
});

/** Posts bytes, and answers with them: as values the digits of the numbers would be gone. */
async function postText(url: string, body: string, headers: Record<string, string> = {}) {
  const sent = { Authorization: 'Bearer owner', 'Content-Type': 'application/json', ...headers };
  const response = await fetch(url, { method: 'POST', headers: sent, body });
  assert.equal(response.status, 200);
  return response.text();
}

test('redacted and restored messages keep the digits of their numbers', async (t) => {
  const secretBox = createSecretBox([systemRandom(32)]);
  const api = await createApi(t, { policies: [REDACT], secretBox });
  const messagesWith = (text: string) =>
    `[{"role":"user","content":"${text}","at":175928847299117063},` +
    `{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"f","input":{"n":[1.0,-0],"${text}":9007199254740993,"to":"${text}"}}]}]`;
  const scan = (style: string) =>
    postText(
      `${api.url}/governance/scan`,
      `{"messages":${messagesWith(EMAIL)},"redaction":"${style}"}`,
    );
  assert.ok((await scan('placeholder')).includes(`"messages":${messagesWith('[EMAIL_1]')}`));
  const text = await scan('token');
  const [, redacted = ''] = /"redacted":\{("messages":.*?\}\]\}\])\}/.exec(text) ?? [];
  const { redactionMap } = JSON.parse(text).data;
  const body = `{${redacted},"redactionMap":"${redactionMap}"}`;
  const restored = await postText(`${api.url}/governance/restore`, body);
  assert.equal(restored, `{"data":{"messages":${messagesWith(EMAIL)}}}`);
});

test('messages with tokens are restored exactly, within the arguments of tool calls as well', async (t) => {
  const secretBox = createSecretBox([systemRandom(32)]);
  const api = await createApi(t, { policies: [REDACT], secretBox });
  for (const { messages } of Object.values(FORMS)) {
    const { body } = await api.postScan({ messages, redaction: 'token' });
    const { redacted, redactionMap } = body.data;
    assert.ok(!JSON.stringify(body).includes(EMAIL));
    const answer = await api.request('POST', '/governance/restore', { ...redacted, redactionMap });
    assert.deepEqual([answer.status, answer.body], [200, { data: { messages } }]);
    const stranger = await api.request(
      'POST',
      '/governance/restore',
      { ...redacted, redactionMap },
      'stranger',
    );
    assert.equal(stranger.status, 422);
  }
  for (const [body, fields] of [
    [{ redactionMap: 'x' }, ['text']],
    [{ text: 'a', messages: [{ role: 'user', content: '' }], redactionMap: 'x' }, ['text']],
    [{ messages: [{ role: 'x' }], redactionMap: 'x' }, ['messages.0.role']],
  ] as const) {
    const answer = await api.request('POST', '/governance/restore', body);
    assert.equal(answer.status, 422);
    const found = answer.body.error.details.map(({ field }: { field: string }) => field);
    assert.deepEqual(found, fields);
  }
});

test('a dry run judges conversations as enabling the rules then does', async (t) => {
  const api = await createApi(t);
  const { messages } = FORMS.responses as (typeof FORMS)[string];
  const first = await api.postScan({ messages });
  assert.equal(first.status, 200);
  const rules = [{ stage: 'pii_scanner', types: ['email'], action: 'block' }];
  const dry = await api.request('POST', '/governance/policies/dry-run', { rules });
  const { before, after, changes } = dry.body.data;
  assert.deepEqual([before.flagged, after.blocked, changes[0].scanId], [1, 1, first.body.data.id]);
  await api.request('POST', '/governance/policies', { name: 'Block', rules });
  assert.equal((await api.postScan({ messages })).status, 403);
});

for (const target of sampleTargets(targets)) {
  test(`on ${target.name}, the record of a conversation is read as it was stored`, async (t) => {
    const { scan, scans, context } = await createWorld(t, { target });
    const { messages } = FORMS['chat completions'] as (typeof FORMS)[string];
    const outcome = await scan(context, { messages, context: 'a' });
    assert.deepEqual(await scans.get(context, outcome.scan.id), outcome.scan);
  });
}

test('a conversation of 10 MiB is scanned', async (t) => {
  const api = await createApi(t);
  const text = `${BENIGN} 𝒜 `.repeat(330);
  const messages = Array.from({ length: 500 }, (_, at) => ({
    role: at % 2 ? 'assistant' : 'user',
    content: text,
  }));
  messages.push({ role: 'user', content: `𝒜 ${SSN}` });
  const size = Buffer.byteLength(JSON.stringify({ messages }));
  assert.ok(size > 9_500_000 && size <= 10_485_760, String(size));
  const { status, body } = await api.postScan({ messages });
  assert.equal(status, 403);
  const [finding] = body.governance.findings;
  assert.deepEqual([finding.path, finding.start], ['[500].content', 3]);
});

test('the path of a finding does not show a value that was found in the name of a member', async (t) => {
  const api = await createApi(t);
  const name = `SSN ${SSN}`;
  const value = JSON.stringify({ [name]: { of: `It is ${SSN}.` }, plain: SSN });
  const call = { id: 'c', type: 'function', function: { name: 'find', arguments: value } };
  const messages = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: null, tool_calls: [call], [name]: 1 },
  ];
  const { status, body } = await api.postScan({ messages });
  assert.equal(status, 403);
  const [first] = (await api.request('GET', '/governance/scans')).body.data;
  const stored = await api.request('GET', `/governance/scans/${first.id}`);
  for (const answer of [body, first, stored.body, await api.events()]) {
    assert.ok(!JSON.stringify(answer).includes(SSN));
  }
  const hidden = `["SSN ${'*'.repeat(SSN.length)}"]`;
  const places = body.governance.findings.map(({ path, inName }: ScanFinding) => [path, inName]);
  const called = '[1].tool_calls[0].function.arguments';
  assert.deepEqual(places.sort(), [
    [`${called}.plain`, undefined],
    [`${called}${hidden}`, true],
    [`${called}${hidden}.of`, undefined],
    [`[1]${hidden}`, true],
  ]);
});
