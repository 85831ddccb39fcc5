import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CLOUD_KEY, SECRET_TEXTS } from '../texts.ts';
import { at, startGateway, typesOf } from '../world.ts';

const listed = (more = '', options = '') =>
  `scanning: {stages: [{name: secrets_scanner${more}}]}\nstage_config: {secrets_scanner: {${options}}}`;
const RESPONSE = `Use ${CLOUD_KEY} now.`;
/** A value that a vendor prints in its documentation: found with less confidence. */
const DOCUMENTED = `Use AKIA${'IOSFODNN7EXAMPLE'} now.`;

test('secrets_scanner is off unless it is listed', async (t) => {
  const { status, body } = await (await startGateway(t)).scan({ response: RESPONSE });
  assert.equal(status, 200);
  assert.equal(at(body, 'data.verdict'), 'allowed');
  assert.equal(at(body, 'data.scores.secrets'), undefined);
});

test('a listed secrets_scanner blocks with its code and reason, and counts as a stage', async (t) => {
  const gateway = await startGateway(t, listed());
  const { status, body } = await gateway.scan({ prompt: RESPONSE, response: 'Yes.' });
  assert.equal(status, 403);
  assert.equal(at(body, 'error.code'), 'POLICY_BLOCKED');
  assert.equal(at(body, 'governance.violation_reason'), 'secrets_scanner found api_key');
  const metrics = await gateway.metrics();
  assert.match(metrics, /gateway_stage_duration_seconds_count\{stage="secrets_scanner"\} 1/);
  assert.match(
    metrics,
    /gateway_stage_failures_total\{stage="secrets_scanner",mode="(?:open|closed)"\} 0/,
  );
});

for (const [type, response] of Object.entries(SECRET_TEXTS)) {
  test(`stage_config.secrets_scanner.types.${type} alone decides whether it is found`, async (t) => {
    const on = await startGateway(t, listed());
    const off = await startGateway(t, listed('', `types: {${type}: false}`));
    assert.deepEqual(typesOf(await on.scan({ response })), [type]);
    assert.deepEqual(typesOf(await off.scan({ response })), []);
    const [other, text] = Object.entries(SECRET_TEXTS).find(([each]) => each !== type) ?? [];
    assert.deepEqual(typesOf(await off.scan({ response: text })), [other]);
    const hashOf = async (gateway: typeof on) =>
      (await gateway.scan({ response: 'Hi.' })).headers.get('x-probity-config-hash');
    assert.notEqual(await hashOf(on), await hashOf(off), 'the hash names the switch');
  });
}

test('secrets_scanner blocks from 0.8 on, or from the nearest threshold of its own', async (t) => {
  const statusWith = async (response: string, more = '', options = '') =>
    (await (await startGateway(t, listed(more, options))).scan({ response })).status;
  assert.equal(await statusWith(RESPONSE), 403);
  assert.equal(await statusWith(DOCUMENTED), 200);
  assert.equal(await statusWith(DOCUMENTED, ', threshold: 0.5'), 403);
  assert.equal(await statusWith(DOCUMENTED, ', threshold: 1', 'threshold: 0.5'), 403);
  assert.equal(await statusWith(RESPONSE, ', threshold: 0.5', 'threshold: 1'), 200);
});

test('stage_config.secrets_scanner.confidence_threshold decides from where a secret is reported', async (t) => {
  const typesWith = async (options: string) =>
    typesOf(await (await startGateway(t, listed('', options))).scan({ response: DOCUMENTED }));
  assert.deepEqual(await typesWith(''), ['api_key']);
  assert.deepEqual(await typesWith('confidence_threshold: 0.6'), []);
});

test('stage_config.secrets_scanner.exceptions hide the values that they match whole', async (t) => {
  const statusWith = async (pattern: string) => {
    const gateway = await startGateway(t, listed('', `exceptions: ['${pattern}']`));
    return (await gateway.scan({ response: RESPONSE })).status;
  };
  assert.equal(await statusWith('AKIA[A-Z0-9]{16}'), 200);
  assert.equal(await statusWith('AKIA[A-Z0-9]{15}'), 403);
});

test('stage_config.secrets_scanner.redact decides whether secrets are replaced or block, where a caller asks', async (t) => {
  const on = await startGateway(t, listed());
  const off = await startGateway(t, listed('', 'redact: false'));
  const request = { response: RESPONSE, redaction: 'placeholder' };
  const { status, body } = await on.scan(request);
  assert.equal(status, 200);
  assert.equal(at(body, 'data.redacted.response'), 'Use [API_KEY_1] now.');
  assert.equal((await off.scan(request)).status, 403);
  const masked = await on.scan({ ...request, redaction: 'mask' });
  assert.equal(at(masked.body, 'data.redacted.response'), `Use ${'*'.repeat(20)} now.`);
});

test('no record, log or metric has the value of a secret, or a hash of it', async (t) => {
  const gateway = await startGateway(
    t,
    `${listed()}\naudit: {sample_rate: 1}\ncompliance: {hash_pii_in_logs: false}\nlogging: {level: DEBUG}`,
  );
  for (const response of Object.values(SECRET_TEXTS)) await gateway.scan({ response });
  const metrics = await gateway.metrics();
  const rows = await gateway.stored();
  assert.equal(
    rows.filter(({ result }) => result === 'blocked').length,
    Object.keys(SECRET_TEXTS).length,
  );
  assert.ok(JSON.stringify(rows).includes('connection_string'));
  const written = JSON.stringify(rows) + gateway.lines.join('\n') + metrics;
  for (const text of Object.values(SECRET_TEXTS)) {
    for (const part of text.match(/[A-Za-z0-9+/-]{9,}/g) ?? []) {
      assert.ok(!written.includes(part), part);
    }
  }
  assert.doesNotMatch(JSON.stringify(rows), /hmac-sha256|"value"/);
});
