import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSecretBox, systemRandom } from '@probity/core';
import type { Policy } from '@probity/pipeline';
import type { Api } from '../api.ts';
import { createApi } from '../api.ts';
import { BENIGN, EMAIL } from '../world.ts';

const REDACT: Policy = {
  ...{ id: 'pol_redact', name: 'Redact', enabled: true },
  rules: [{ stage: 'pii_scanner', types: ['email'], action: 'redact' }],
};
const other = 'b.lee@example.net';
const request = { prompt: `I am ${EMAIL}.`, response: `Dear ${EMAIL}, ask ${other}.` };

const open = (
  t: Parameters<typeof createApi>[0],
  secretBox = createSecretBox([systemRandom(32)]),
) => createApi(t, { policies: [REDACT], secretBox });

const restore = (api: Pick<Api, 'request'>, text: string, redactionMap: unknown, token?: string) =>
  api.request('POST', '/governance/restore', { text, redactionMap }, token);

test('redacted texts with tokens are restored exactly, and the tokens in a model’s answer too', async (t) => {
  const api = await open(t);
  const { body } = await api.postScan({ ...request, redaction: 'token' });
  const { redacted, redactionMap } = body.data;
  assert.match(redacted.prompt, /^I am \[EMAIL_[A-Z]{10}\]\.$/);
  assert.ok(!redactionMap.includes(EMAIL));
  for (const field of ['prompt', 'response'] as const) {
    const answer = await restore(api, redacted[field], redactionMap);
    assert.deepEqual([answer.status, answer.body], [200, { data: { text: request[field] } }]);
  }
  const [token] = /\[EMAIL_[A-Z]{10}\]/.exec(redacted.prompt) ?? [];
  const answer = await restore(api, `Write to ${token} or to [EMAIL_BBBBBBBBBB].`, redactionMap);
  assert.equal(answer.body.data.text, `Write to ${EMAIL} or to [EMAIL_BBBBBBBBBB].`);
});

test('placeholders and masks have no map, and neither has a scan that redacts nothing', async (t) => {
  const api = await open(t);
  const mask = await api.postScan({ ...request, redaction: 'mask' });
  assert.ok(!mask.body.data.redacted.prompt.includes(EMAIL));
  assert.ok(!mask.body.data.redacted.prompt.includes('['));
  const placeholder = await api.postScan({ ...request, redaction: null });
  assert.equal(placeholder.body.data.redacted.prompt, 'I am [EMAIL_1].');
  const benign = await api.postScan({ response: BENIGN, redaction: 'token' });
  for (const { body } of [mask, placeholder, benign]) {
    assert.equal('redactionMap' in body.data, false);
  }
  const wrong = await api.postScan({ ...request, redaction: 'hash' });
  assert.deepEqual(
    wrong.body.error.details.map(({ field }: { field: string }) => field),
    ['redaction'],
  );
});

test('a map opens for its own organization only, unchanged, and while its key is there', async (t) => {
  const [first, second] = [systemRandom(32), systemRandom(32)];
  let keys: readonly Uint8Array[] = [first];
  const api = await open(
    t,
    createSecretBox(() => keys),
  );
  const { redacted, redactionMap } = (await api.postScan({ ...request, redaction: 'token' })).body
    .data;
  const refused = async (map: unknown, token?: string) => {
    const answer = await restore(api, redacted.prompt, map, token);
    assert.equal(answer.status, 422);
    const [detail] = answer.body.error.details;
    assert.equal(detail.field, 'redactionMap');
  };
  await refused(redactionMap, 'stranger');
  await refused(`${redactionMap.slice(0, -4)}AAAA`);
  for (const map of ['', 'x', 'a.b', `.${redactionMap}`, 7, undefined]) await refused(map);
  keys = [second, first];
  assert.equal((await restore(api, redacted.prompt, redactionMap)).status, 200);
  keys = [second];
  await refused(redactionMap);
  const viewer = await restore(api, redacted.prompt, redactionMap, 'viewer');
  assert.equal(viewer.status, 403);
});

test('tokens without an encryption key are refused by name', async (t) => {
  const { postScan } = await createApi(t, { policies: [REDACT] });
  const answer = await postScan({ ...request, redaction: 'token' });
  assert.equal(answer.status, 422);
  assert.match(
    answer.body.error.details[0].message,
    /without an encryption key: set PROBITY_ENCRYPTION_KEY/,
  );
  assert.equal((await postScan(request)).status, 200);
});
