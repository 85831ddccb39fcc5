import assert from 'node:assert/strict';
import { createHmac, hkdfSync } from 'node:crypto';
import { test } from 'node:test';
import { chatAnswer, chatEvents, inDeltas } from '@probity/test-support';
import type { ProxyWorld } from './proxy-world.ts';
import { MAIL, providerText, startProxy } from './proxy-world.ts';

const PATH = '/v1/chat/completions';
const ask = (content: string, more: object = {}) => ({
  model: 'm',
  messages: [{ role: 'user', content }],
  ...more,
});

/** The records of scans: of each call that of the request, then that of the answer. */
function scansOf({ world }: ProxyWorld) {
  return world.records().filter(({ message }) => message === 'scan');
}

const KEY = Buffer.alloc(32, 7);

/** How a value is recorded. */
function hashOf(value: string): string {
  const key = hkdfSync('sha256', KEY, '', 'probity-gateway:value', 32);
  return `hmac-sha256:${createHmac('sha256', Buffer.from(key)).update(value).digest('hex')}`;
}

/** Flagged by its personal data, which blocks from the threshold on alone. */
const FLAGGING = 'scanning: {thresholds: {pii_risk: 1}}\naudit: {sample_rate: 1}\n';

for (const stream of [false, true]) {
  test(`an answer is flagged for what is in it, not for its request (stream: ${stream})`, async (t) => {
    const proxy = await startProxy(t, { text: FLAGGING });
    const { post, model, world } = proxy;
    const say = (text: string) =>
      model.answer(() => (stream ? chatEvents(inDeltas(text)) : chatAnswer(text)));
    say('It will arrive in two days.');
    await post(PATH, ask(`Write to ${MAIL}.`, { stream }));
    say('Write to bob@example.org.');
    await post(PATH, ask('Whom do I write to?', { stream }));
    await world.gateway.stop();
    assert.deepEqual(
      scansOf(proxy).map(({ result }) => result),
      ['flagged', 'allowed', 'allowed', 'flagged'],
    );
    for (const row of await world.stored()) {
      const { findings } = JSON.parse(String(row.detail)) as { findings: unknown[] };
      assert.equal(findings.length > 0, row.result === 'flagged', String(row.detail));
    }
  });

  test(`every record of a redacted call names a cause (stream: ${stream})`, async (t) => {
    const proxy = await startProxy(t, {
      models: (url) => `${providerText(url)}  redact: reversible\n`,
      text: 'audit: {sample_rate: 1}\n',
      env: { PROBITY_ENCRYPTION_KEY: KEY.toString('base64') },
    });
    const { post, model, world } = proxy;
    const say = (text: string) => (stream ? chatEvents(inDeltas(text)) : chatAnswer(text));
    model.answer(({ body }) => say(`You wrote: ${body.messages.at(-1).content}`));
    await post(PATH, ask(`Write to ${MAIL}.`, { stream }));
    model.answer(() => say('Write to bob@example.org.'));
    await post(PATH, ask(`Not to ${MAIL}.`, { stream }));
    await world.gateway.stop();
    assert.deepEqual(
      scansOf(proxy).map(({ result }) => result),
      ['redacted', 'allowed', 'redacted', 'redacted'],
    );
    for (const row of await world.stored()) {
      const { findings } = JSON.parse(String(row.detail)) as { findings: unknown[] };
      assert.equal(findings.length > 0, row.result === 'redacted', String(row.detail));
    }
    const subjects = (await world.stored()).map(
      ({ detail }) => (JSON.parse(String(detail)) as { about: unknown }).about,
    );
    const about = (of: string) => ({ kind: 'model', of, model: 'local/m' });
    assert.deepEqual(
      subjects,
      ['request', 'answer', 'request', 'answer'].map((of) => about(of)),
    );
    assert.deepEqual(
      scansOf(proxy).map(({ of, model: name }) => `${of} ${name}`),
      subjects.map((each) => `${(each as { of: string }).of} local/m`),
    );
    const hashed = (value: string) => [[{ type: 'email', value: hashOf(value) }]];
    assert.deepEqual(
      scansOf(proxy).flatMap(({ pii }) => (pii === undefined ? [] : [pii])),
      [...hashed(MAIL), ...hashed(MAIL), ...hashed('bob@example.org')],
    );
  });
}

test('what is known of earlier turns takes no time in the records', async (t) => {
  const proxy = await startProxy(t);
  const { post } = proxy;
  await post(PATH, ask('Where is my parcel?'));
  await post(PATH, ask('Where is my parcel?'));
  const [first, , second] = scansOf(proxy);
  assert.ok(Number(first?.duration_ms) > 0);
  assert.equal(second?.duration_ms, 0);
});

for (const redact of ['off', 'mask']) {
  test(`a user whose id has a value is recorded as a hash (redact: ${redact})`, async (t) => {
    const { post, world } = await startProxy(t, {
      text: 'audit: {sample_rate: 1}\n',
      models: (url) => providerText(url).replace('models:', `models:\n  redact: ${redact}`),
    });
    const user = 'SSN 536-22-8145';
    await post(PATH, ask('Hi.', { user }));
    await post(PATH, ask('Hi.', { user: 'alice' }));
    await world.gateway.stop();
    const users = (await world.stored()).map(({ user_id }) => String(user_id));
    const hidden = users.filter((each) => each.startsWith('hmac-sha256:'));
    assert.equal(hidden.length, redact === 'off' ? 1 : 2);
    assert.deepEqual(new Set(users), new Set([hidden[0], 'alice']));
  });
}
