import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSecretBox } from '@probity/core';
import { createTestClock } from '@probity/test-support';
import { createInvoiceLinks, INVOICE_LINK_MS } from '../../src/billing/invoice-links.ts';

const [first, second] = [1, 2].map((byte) => new Uint8Array(32).fill(byte)) as [
  Uint8Array,
  Uint8Array,
];
const key = createSecretBox([first]);

test('an invoice link is valid until it expires', async () => {
  const clock = createTestClock();
  const links = createInvoiceLinks(key, clock);
  const proof = links.sign('ivc_1');
  links.verify('ivc_1', proof);
  await clock.advance(INVOICE_LINK_MS - 1);
  links.verify('ivc_1', proof);
  await clock.advance(1);
  assert.throws(() => links.verify('ivc_1', proof), { kind: 'forbidden', message: /expired/ });
});

test('an invoice link with the signature of another invoice, time or key is refused', () => {
  const clock = createTestClock();
  const links = createInvoiceLinks(key, clock);
  const { expires, signature } = links.sign('ivc_1');
  const foreign = createInvoiceLinks(createSecretBox([second]), clock).sign('ivc_1');
  const flipped = (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1);
  const refused = [
    ['ivc_2', { expires, signature }],
    ['ivc_1', { expires: String(Number(expires) + 1), signature }],
    ['ivc_1', { expires: `0${expires}`, signature }],
    ['ivc_1', { expires, signature: flipped }],
    ['ivc_1', { expires, signature: `${signature}=` }],
    ['ivc_1', { expires, signature: '' }],
    ['ivc_1', { expires: '', signature: '' }],
    ['ivc_1', foreign],
  ] as const;
  for (const [id, proof] of refused) {
    assert.throws(() => links.verify(id, proof), { kind: 'forbidden', message: /not valid/ });
  }
});

test('an invoice link with any other last signature character is refused, even if base64 decodes it alike', () => {
  const links = createInvoiceLinks(key, createTestClock());
  const { expires, signature } = links.sign('ivc_1');
  for (const last of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_') {
    if (signature.endsWith(last)) continue;
    const proof = { expires, signature: signature.slice(0, -1) + last };
    assert.throws(() => links.verify('ivc_1', proof), { kind: 'forbidden' });
  }
});

test('an invoice link stays valid while its key is configured, and is refused afterwards', () => {
  const clock = createTestClock();
  const proof = createInvoiceLinks(createSecretBox([first]), clock).sign('ivc_1');
  createInvoiceLinks(createSecretBox([second, first]), clock).verify('ivc_1', proof);
  const without = createInvoiceLinks(createSecretBox([second]), clock);
  assert.throws(() => without.verify('ivc_1', proof), { kind: 'forbidden' });
});
