import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { createOpenApiDocument, generalErrors } from '@probity/core/koa';
import { collectRequests } from '@probity/core/testing';
import { BUILT_IN_POLICY_ID } from '../../src/index.ts';
import { governanceEndpoints } from '../../src/koa.ts';
import { blockedScan, passedScan } from '../../src/scans/schemas.ts';
import { createApi } from '../api.ts';
import { BENIGN, CARD, createWorld, EMAIL, INJECTION, SSN } from '../world.ts';

test('a scan of a benign response is 200 allowed, with the scores of all enabled stages', async (t) => {
  const { postScan } = await createApi(t);
  const { status, body } = await postScan({ prompt: 'Capital of France?', response: BENIGN });
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body), ['data']);
  const { id, durationMs, createdAt, stages, scores, ...rest } = body.data;
  const ended = stages.map(({ name, status }: Record<string, string>) => [name, status]);
  assert.deepEqual(ended, [
    ['pii_scanner', 'ok'],
    ['injection_scanner', 'ok'],
    ['toxicity_scanner', 'ok'],
    ['hallucination_detector', 'ok'],
  ]);
  assert.deepEqual(Object.keys(scores), ['pii', 'injection', 'toxicity', 'hallucination']);
  assert.ok(scores.injection < 0.5 && scores.toxicity < 0.6, JSON.stringify(scores));
  assert.deepEqual([scores.pii, scores.hallucination], [0, 0]);
  assert.match(id, /^scn_/);
  assert.ok(durationMs >= 0);
  assert.equal(createdAt, '2026-01-01T00:00:00.000Z');
  assert.deepEqual(rest, {
    verdict: 'allowed',
    findings: [],
    policyIds: [BUILT_IN_POLICY_ID],
    policies: [{ id: BUILT_IN_POLICY_ID, version: 1, mode: 'enforce' }],
    monitored: [],
  });
});

test('a scan of an e-mail address is 200 flagged, with offsets in UTF-16 code units of the field as sent', async (t) => {
  const { postScan } = await createApi(t);
  const response = `🏔🏔 ﬁne: write to ${EMAIL} soon`;
  const { status, body } = await postScan({ response });
  assert.equal(status, 200);
  assert.equal(body.data.verdict, 'flagged');
  const [finding, ...others] = body.data.findings;
  assert.deepEqual(others, []);
  assert.equal(response.slice(finding.start, finding.end), EMAIL);
  const { score, start: _start, end: _end, ...rest } = finding;
  assert.ok(score > 0 && score <= 1);
  const expected = { stage: 'pii_scanner', type: 'email', field: 'response', action: 'flag' };
  assert.deepEqual(rest, expected);
  assert.doesNotThrow(() => passedScan.parse(body));
});

test('a finding in the context has the index of its passage; a string counts as one passage', async (t) => {
  const { postScan } = await createApi(t);
  const listed = await postScan({ response: BENIGN, context: ['nothing', `to ${EMAIL}`] });
  const { field, contextIndex, start } = listed.body.data.findings[0];
  assert.deepEqual([field, contextIndex, start], ['context', 1, 3]);
  const single = await postScan({ response: BENIGN, context: `to ${EMAIL}` });
  assert.equal(single.body.data.findings[0].contextIndex, 0);
});

const blocked = [
  {
    name: 'a social security number',
    body: { response: `My social security number is ${SSN}.` },
    code: 'PII_DETECTED',
    reason: 'pii_scanner found ssn',
  },
  {
    name: 'a card number',
    body: { response: `Pay with ${CARD}` },
    code: 'PII_DETECTED',
    reason: 'pii_scanner found credit_card',
  },
  {
    name: 'a card number in the prompt',
    body: { prompt: `Pay with ${CARD}`, response: 'No.' },
    code: 'PII_DETECTED',
    reason: 'pii_scanner found credit_card',
  },
  {
    name: 'an injection',
    body: { prompt: INJECTION, response: BENIGN },
    code: 'INJECTION_ATTEMPT_DETECTED',
    reason: 'injection_scanner found prompt_injection',
  },
  {
    name: 'an injection with a card number',
    body: { prompt: INJECTION, response: `Pay with ${CARD}` },
    code: 'INJECTION_ATTEMPT_DETECTED',
    reason: 'injection_scanner found prompt_injection',
  },
];
for (const { name, body: request, code, reason } of blocked) {
  test(`a scan of ${name} is 403 ${code}`, async (t) => {
    const { postScan } = await createApi(t);
    const { status, headers, body } = await postScan(request);
    assert.equal(status, 403);
    assert.doesNotThrow(() => blockedScan.parse(body));
    const { message, ...error } = body.error;
    assert.ok(message.length > 0);
    assert.deepEqual(error, {
      code,
      statusCode: 403,
      requestId: headers.get('x-request-id'),
    });
    const { verdict, policy_id, violation_reason, scan_id, findings } = body.governance;
    assert.deepEqual(
      [verdict, policy_id, violation_reason],
      ['blocked', BUILT_IN_POLICY_ID, reason],
    );
    assert.match(scan_id, /^scn_/);
    assert.ok(findings.length > 0);
    assert.equal(JSON.stringify(body).includes(CARD), false);
  });
}

test('findingCount includes findings that are not listed, for flagged and blocked scans', async (t) => {
  const { postScan } = await createApi(t);
  const response = Array.from({ length: 1_010 }, (_, n) => `user${n}@example.org`).join(' ');
  const { data } = (await postScan({ response })).body;
  assert.deepEqual([data.findings.length, data.findingCount], [1_000, 1_010]);
  const { body } = await postScan({ response: `${response} ${CARD}` });
  assert.doesNotThrow(() => blockedScan.parse(body));
  const { findings, findingCount, stages } = body.governance;
  assert.deepEqual([findings.length, findingCount, stages.length], [1_000, 1_011, 4]);
  assert.equal(findings[0].type, 'credit_card');
});

test('null for prompt, context, policyIds and metadata of a scan is the same as absent', async (t) => {
  const { postScan, scans, context } = await createApi(t);
  const nothing = { prompt: null, context: null, policyIds: null, metadata: null };
  const { status, body } = await postScan({ response: BENIGN, ...nothing });
  assert.equal(status, 200);
  const { promptHash, contextHash, metadata } = await scans.get(context, body.data.id);
  assert.deepEqual([promptHash, contextHash, metadata], [null, null, {}]);
});

test('metadata is stored with the scan', async (t) => {
  const { postScan, scans, context } = await createApi(t);
  const metadata = { team: 'search', attempt: 2, retry: false };
  const { body } = await postScan({ response: BENIGN, metadata, policyIds: [BUILT_IN_POLICY_ID] });
  assert.deepEqual((await scans.get(context, body.data.id)).metadata, metadata);
});

const manyTags = Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`tag${n}`, n]));

const refused: { name: string; body: unknown; fields: string[] }[] = [
  { name: 'a missing response', body: { prompt: 'Hello' }, fields: ['response'] },
  { name: 'an empty response', body: { response: '' }, fields: ['response'] },
  { name: 'a null response', body: { response: null }, fields: ['response'] },
  { name: 'a response that is a number', body: { response: 7 }, fields: ['response'] },
  {
    name: 'several invalid fields',
    body: { response: '', prompt: 1, answer: 'x', model: 'y' },
    fields: ['answer', 'model', 'prompt', 'response'],
  },
  { name: 'a context that is a number', body: { response: 'x', context: 1 }, fields: ['context'] },
  {
    name: 'a context that contains a number',
    body: { response: 'x', context: ['a', 1] },
    fields: ['context'],
  },
  {
    name: 'more than 1,000 passages',
    body: { response: 'x', context: Array.from({ length: 1_001 }, () => 'a') },
    fields: ['context'],
  },
  {
    name: 'an unknown policy',
    body: { response: 'x', policyIds: ['pol_nobodys'] },
    fields: ['policyIds.0'],
  },
  {
    name: 'an unknown policy after a known one',
    body: { response: 'x', policyIds: [BUILT_IN_POLICY_ID, 'pol_nobodys'] },
    fields: ['policyIds.1'],
  },
  {
    name: 'an empty list of policies',
    body: { response: 'x', policyIds: [] },
    fields: ['policyIds'],
  },
  {
    name: 'nested metadata',
    body: { response: 'x', metadata: { user: { name: 'a' } } },
    fields: ['metadata.user'],
  },
  {
    name: 'metadata that contains null',
    body: { response: 'x', metadata: { user: null } },
    fields: ['metadata.user'],
  },
  {
    name: 'a tag of more than 1,000 characters',
    body: { response: 'x', metadata: { note: 'a'.repeat(1_001) } },
    fields: ['metadata.note'],
  },
  {
    name: 'a list as metadata',
    body: { response: 'x', metadata: ['a'] },
    fields: ['metadata'],
  },
  {
    name: 'more than 50 tags',
    body: { response: 'x', metadata: manyTags },
    fields: ['metadata'],
  },
  {
    name: '200,000 passages of the wrong type',
    body: { response: 'x', context: Array.from({ length: 200_000 }, () => 1) },
    fields: ['context'],
  },
  {
    name: '100,000 tags of the wrong type',
    body: {
      response: 'x',
      metadata: Object.fromEntries(Array.from({ length: 19_000 }, (_, n) => [`t${n}`, null])),
    },
    fields: ['metadata'],
  },
  { name: 'a body that is a list', body: ['x'], fields: ['body'] },
];
for (const { name, body: request, fields } of refused) {
  test(`a scan with ${name} is 422 naming ${fields.join(', ')}`, async (t) => {
    const { postScan, events } = await createApi(t);
    const { status, body } = await postScan(request);
    assert.equal(status, 422);
    assert.equal(body.error.code, 'VALIDATION_ERROR');
    const details = body.error.details as { field: string; message: string }[];
    assert.deepEqual(details.map(({ field }) => field).sort(), fields);
    assert.ok(details.every(({ message }) => message.length > 0));
    assert.deepEqual(await events(), []);
  });
}

test('a scan with a key that lacks the permission is 403 and runs no scan', async (t) => {
  const { postScan, events } = await createApi(t);
  const { status, body } = await postScan({ response: `Pay with ${CARD}` }, 'viewer');
  assert.equal(status, 403);
  assert.equal(body.error.code, 'INSUFFICIENT_PERMISSIONS');
  assert.equal('governance' in body, false);
  assert.deepEqual(await events(), []);
});

test('a scan with an unknown key is 401', async (t) => {
  const { postScan } = await createApi(t);
  const { status, body } = await postScan({ response: BENIGN }, 'nobody');
  assert.deepEqual([status, body.error.code], [401, 'INVALID_API_KEY']);
});

test('a scan accepts a body of 10,485,760 bytes; a larger one is 413', async (t) => {
  const { postScan } = await createApi(t);
  const frame = JSON.stringify({ response: '' }).length;
  const fits = await postScan({ response: 'a '.repeat(5_242_880).slice(frame) });
  assert.equal(fits.status, 200);
  const over = await postScan({ response: 'a '.repeat(5_242_880).slice(frame - 1) });
  assert.deepEqual([over.status, over.body.error.code], [413, 'PAYLOAD_TOO_LARGE']);
});

test('a client that disconnects cancels its scan, and nothing is stored', async (t) => {
  let observed: (status: number) => void = () => undefined;
  const answered = new Promise<number>((resolve) => {
    observed = resolve;
  });
  const { metrics } = collectRequests(
    ({ path, status }) => path.endsWith('/scan') && observed(status),
  );
  const { request, listAlerts, events } = await createApi(t, {}, { metrics });
  const alerts = await request('GET', '/alerts');
  const { host } = new URL(alerts.url);
  const body = JSON.stringify({ response: `${EMAIL} wrote this. `.repeat(200_000) });
  const socket = connect(Number(host.split(':')[1]), '127.0.0.1');
  socket.write(
    `POST /api/v1/governance/scan HTTP/1.1\r\nHost: ${host}\r\n` +
      'Authorization: Bearer owner\r\nContent-Type: application/json\r\n' +
      `Content-Length: ${body.length}\r\n\r\n`,
  );
  await new Promise((resolve) => socket.write(body, resolve));
  socket.destroy();
  assert.equal(await answered, 499);
  assert.equal((await listAlerts()).total, 0);
  assert.deepEqual(await events(), []);
});

test('the OpenAPI document declares both 403 responses and the request body of a scan', async (t) => {
  const world = await createWorld(t);
  const group = {
    prefix: '/api/v1',
    errorFormat: generalErrors,
    endpoints: governanceEndpoints(world),
  };
  const document = createOpenApiDocument({ title: 'Test', version: '1.0.0' }, [group]);
  // biome-ignore lint/suspicious/noExplicitAny: a document of many shapes
  const paths = document.paths as any;
  const { responses, requestBody } = paths['/api/v1/governance/scan'].post;
  const schema = responses['403'].content['application/json'].schema;
  assert.deepEqual(schema.anyOf, [
    { $ref: '#/components/schemas/BlockedScan' },
    { $ref: '#/components/schemas/GeneralForbidden' },
  ]);
  // biome-ignore lint/suspicious/noExplicitAny: a document of many shapes
  const { BlockedScan, ScanRequest } = (document.components as any).schemas;
  assert.deepEqual(BlockedScan.properties.error.properties.code.enum, [
    'INJECTION_ATTEMPT_DETECTED',
    'PII_DETECTED',
    'POLICY_BLOCKED',
  ]);
  const input = requestBody.content['application/json'].schema;
  assert.deepEqual(input, { $ref: '#/components/schemas/ScanRequest' });
  assert.equal(ScanRequest.required, undefined);
  assert.ok('response' in ScanRequest.properties && 'messages' in ScanRequest.properties);
  assert.ok('/api/v1/alerts/{alert_id}' in paths);
});

test('a prompt alone is scanned with an empty response, as one user message is', async (t) => {
  const { postScan } = await createApi(t);
  const blocked = await postScan({ prompt: INJECTION, response: '' });
  assert.equal(blocked.status, 403);
  assert.equal(blocked.body.error.code, 'INJECTION_ATTEMPT_DETECTED');
  const asked = await postScan({ messages: [{ role: 'user', content: INJECTION }] });
  assert.equal(asked.status, 403);
  const allowed = await postScan({ prompt: 'Capital of France?', response: '' });
  assert.equal(allowed.body.data.verdict, 'allowed');
});

test('a missing response is 422, and the message names both ways to scan a prompt', async (t) => {
  const { postScan } = await createApi(t);
  for (const request of [{ prompt: INJECTION }, {}, { prompt: INJECTION, response: null }]) {
    const { status, body } = await postScan(request);
    assert.equal(status, 422);
    const [{ field, message }] = body.error.details;
    assert.equal(field, 'response');
    assert.match(message, /'' with a prompt to scan the prompt alone; or give messages/);
  }
  for (const request of [{ response: '' }, { prompt: '', response: '' }]) {
    const { status, body } = await postScan(request);
    assert.equal(status, 422);
    assert.match(body.error.details[0].message, /must not be empty without a prompt/);
  }
});
