import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { VerificationErrorCode } from '../../src/verify.ts';
import {
  verifyServiceSignature,
  verifyWebhook,
  WebhookVerificationError,
} from '../../src/verify.ts';
import { BODY, clockAfter, OTHER_SECRET, SECRET, SIGNED_AT, signatureOf } from './requests.ts';

interface Request {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>;
  readonly secrets?: unknown;
  readonly secondsLater?: number;
}

const seconds = Math.floor(SIGNED_AT.getTime() / 1_000);
const signed = signatureOf(BODY);
const EVENT = JSON.parse(BODY);
/** An event with a byte that UTF-8 does not have. */
const invalidUtf8 = Buffer.concat([
  Buffer.from(BODY.slice(0, -3)),
  Buffer.from([0xff]),
  Buffer.from(BODY.slice(-3)),
]);

function verify({ body = BODY, headers = {}, secrets = SECRET, secondsLater = 0 }: Request) {
  const all = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(seconds),
    'webhook-signature': signed,
    ...headers,
  };
  const options = { clock: clockAfter(secondsLater) };
  return verifyWebhook(body as string, all, secrets as string, options);
}

/** A signed body, so that only the body is at fault. */
function withBody(body: string | Uint8Array): Request {
  return { body, headers: { 'webhook-signature': signatureOf(body) } };
}

const REFUSALS: ReadonlyArray<readonly [string, VerificationErrorCode, Request]> = [
  ['no id', 'header_missing', { headers: { 'webhook-id': undefined } }],
  ['no timestamp', 'header_missing', { headers: { 'webhook-timestamp': undefined } }],
  ['no signature', 'header_missing', { headers: { 'webhook-signature': undefined } }],
  ['an empty signature', 'header_missing', { headers: { 'webhook-signature': '' } }],
  ['a date', 'timestamp_invalid', { headers: { 'webhook-timestamp': SIGNED_AT.toISOString() } }],
  ['a negative time', 'timestamp_invalid', { headers: { 'webhook-timestamp': `-${seconds}` } }],
  ['a suffix', 'timestamp_invalid', { headers: { 'webhook-timestamp': `${seconds}.0` } }],
  ['two times', 'timestamp_invalid', { headers: { 'webhook-timestamp': ['1', '2'] } }],
  ['a time before the tolerance', 'timestamp_too_old', { secondsLater: 301 }],
  ['a time after the tolerance', 'timestamp_too_new', { secondsLater: -301 }],
  ['another time', 'signature_mismatch', { headers: { 'webhook-timestamp': `${seconds + 1}` } }],
  ['another id', 'signature_mismatch', { headers: { 'webhook-id': 'evt_2' } }],
  ['another body', 'signature_mismatch', { body: BODY.replace('high', 'low') }],
  ['a body that was parsed and written', 'signature_mismatch', { body: ` ${BODY}` }],
  ['another secret', 'signature_mismatch', { secrets: OTHER_SECRET }],
  ['a shortened signature', 'signature_mismatch', { headers: { 'webhook-signature': 'v1,' } }],
  [
    'a lengthened signature',
    'signature_mismatch',
    { headers: { 'webhook-signature': `${signed}=` } },
  ],
  [
    'a signature of another version',
    'signature_mismatch',
    { headers: { 'webhook-signature': signed.replace('v1,', 'v1a,') } },
  ],
  [
    'a signature without its version',
    'signature_mismatch',
    { headers: { 'webhook-signature': signed.slice(3) } },
  ],
  [
    'signatures that others made',
    'signature_mismatch',
    { headers: { 'webhook-signature': `v1,AAAA ${signatureOf(BODY, { secret: OTHER_SECRET })}` } },
  ],
  ['an object', 'body_not_raw', { body: JSON.parse(BODY) }],
  ['no body', 'body_not_raw', { body: null }],
  ['a number', 'body_not_raw', { body: 1 }],
  ['a text that is not JSON', 'body_not_event', withBody('event=1')],
  ['bytes that are not UTF-8', 'body_not_event', withBody(invalidUtf8)],
  ['an empty body', 'body_not_event', withBody('')],
  ['JSON without an event', 'body_not_event', withBody('{"type":"alert.created"}')],
  ['an event without data', 'body_not_event', withBody(JSON.stringify({ ...EVENT, data: null }))],
  ['an event without an id', 'body_not_event', withBody(JSON.stringify({ ...EVENT, id: 1 }))],
  ['null', 'body_not_event', withBody('null')],
  ['no secret', 'secret_invalid', { secrets: [] }],
  ['an empty secret', 'secret_invalid', { secrets: '' }],
  ['an empty secret beside another', 'secret_invalid', { secrets: [SECRET, ''] }],
  ['a secret that is not base64', 'secret_invalid', { secrets: 'whsec_?' }],
  ['a secret without bytes', 'secret_invalid', { secrets: 'whsec_' }],
];

for (const [title, code, request] of REFUSALS) {
  test(`${title}: ${code}`, async () => {
    await assert.rejects(verify(request), (error) => {
      assert.ok(error instanceof WebhookVerificationError);
      assert.deepEqual([error.code, error.name], [code, 'WebhookVerificationError']);
      const expected = { body_not_event: 400, body_not_raw: 500, secret_invalid: 500 }[
        code as string
      ];
      assert.equal(error.status, expected ?? 401);
      for (const secret of [SECRET, OTHER_SECRET, signed]) {
        assert.ok(!error.message.includes(secret.slice(6)), 'the message names a secret');
      }
      return true;
    });
  });
}

test('a missing secret of the environment is refused and not taken for an empty key', async () => {
  await assert.rejects(verifyWebhook(BODY, {}, undefined as never), { code: 'secret_invalid' });
});

test('the message about a parsed body says how to get the raw one', async () => {
  const hints = /is a parsed object.*express\.raw.*rawBody.*parseAs: 'buffer'.*arrayBuffer/s;
  await assert.rejects(verify({ body: {} }), { message: hints });
});

test('a tolerance that is no number is refused: compared with one, no time is too old', async () => {
  for (const toleranceSeconds of [Number.NaN, -1, '300' as never]) {
    await assert.rejects(verifyWebhook(BODY, {}, SECRET, { toleranceSeconds }), RangeError);
  }
});

test('a service signature of another body or secret is refused, and one that is missing', async () => {
  const headers = { 'x-service-signature': 'sha256=00' };
  await assert.rejects(verifyServiceSignature(BODY, headers, SECRET), {
    code: 'signature_mismatch',
  });
  await assert.rejects(verifyServiceSignature(BODY, {}, SECRET), { code: 'header_missing' });
  await assert.rejects(verifyServiceSignature({} as never, headers, SECRET), {
    code: 'body_not_raw',
  });
  const ofEmptyKey = `sha256=${createHmac('sha256', '').update(BODY).digest('hex')}`;
  for (const secrets of ['', [SECRET, ''], [undefined as never]]) {
    const call = verifyServiceSignature(BODY, { 'x-service-signature': ofEmptyKey }, secrets);
    await assert.rejects(call, { code: 'secret_invalid' });
  }
});

test('every code has a line in the documentation', () => {
  const page = readFileSync(
    new URL('../../../../../docs/webhooks/receive.md', import.meta.url),
    'utf8',
  );
  for (const code of new Set(REFUSALS.map(([, each]) => each))) {
    assert.ok(page.includes(`\n| \`${code}\` |`), code);
  }
});

test('spaces and line breaks around a secret, as a file has them, are no part of it', async () => {
  for (const secret of [`${SECRET}\n`, ` ${SECRET}\r\n`]) {
    assert.deepEqual(await verify({ secrets: secret }), EVENT);
    const signature = createHmac('sha256', SECRET).update(BODY).digest('hex');
    const headers = { 'x-service-signature': `sha256=${signature}` };
    assert.deepEqual(await verifyServiceSignature(BODY, headers, [OTHER_SECRET, secret]), EVENT);
  }
  await assert.rejects(verify({ secrets: ' \n' }), { code: 'secret_invalid' });
});

test('headers that are no object are a mistake of the receiver, and values that are no text are absent', async () => {
  for (const headers of [null, undefined, 'text', 5]) {
    await assert.rejects(verifyWebhook(BODY, headers as never, SECRET), {
      name: 'TypeError',
      message: /headers must be/,
    });
  }
  const numbers = { get: () => 5 };
  await assert.rejects(verifyWebhook(BODY, numbers as never, SECRET), { code: 'header_missing' });
});
