import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PDFDocument } from '@cantoo/pdf-lib';
import { createInvoiceRenderer } from '../../src/billing/pdf.ts';
import type { Invoice } from '../../src/billing/types.ts';
import { readPdf } from './pdf.ts';

const renderInvoice = createInvoiceRenderer();

const invoice: Invoice = {
  id: 'ivc_1',
  organizationId: 'org_1',
  sequence: 42,
  billedTo: 'Ærø Føundation & Co',
  billingEmail: 'owner@example.com',
  amount: 30_484,
  currency: 'usd',
  lines: [
    { description: 'Professional plan, 2026-01-11 to 2026-02-01', amount: 33_803 },
    { description: 'Unused Starter plan, 2026-01-11 to 2026-02-01', amount: -3_319 },
  ],
  issuedAt: new Date('2026-01-11T00:00:00.000Z'),
  dueAt: new Date('2026-02-10T00:00:00.000Z'),
  status: 'paid',
};

test('an invoice PDF parses and contains number, amounts, dates and organization', async () => {
  const bytes = await renderInvoice(invoice);
  assert.equal(Buffer.from(bytes.subarray(0, 5)).toString(), '%PDF-');
  const { pages, text } = await readPdf(bytes);
  assert.equal(pages, 1);
  const expected = [
    'PB-000042',
    'ivc_1',
    'Ærø Føundation & Co',
    'Organization org_1',
    'owner@example.com',
    '2026-01-11',
    '2026-02-10',
    'paid',
    'Professional plan, 2026-01-11 to 2026-02-01',
    '338.03 USD',
    '-33.19 USD',
    '304.84 USD',
  ];
  for (const piece of expected) assert.ok(text.split('\n').includes(piece), `${piece} in ${text}`);
  const document = await PDFDocument.load(bytes);
  assert.equal(document.getTitle(), 'Invoice PB-000042 for Ærø Føundation & Co');
});

test('rendering the same invoice twice gives the same PDF bytes', async () => {
  assert.deepEqual(await renderInvoice(invoice), await renderInvoice({ ...invoice }));
});

test('a name with characters the PDF fonts lack is drawn with question marks, and complete in the title', async () => {
  const bytes = await renderInvoice({ ...invoice, billedTo: '日本 Co \u{1F600}' });
  const { text } = await readPdf(bytes);
  assert.ok(text.split('\n').includes('?? Co ?'), text);
  const document = await PDFDocument.load(bytes);
  assert.equal(document.getTitle(), 'Invoice PB-000042 for 日本 Co \u{1F600}');
});

test('a long name is truncated to the PDF page, and many lines continue on the next page', async () => {
  const lines = Array.from({ length: 50 }, (_, index) => ({
    description: `Line ${index}`,
    amount: index,
  }));
  const { pages, text } = await readPdf(
    await renderInvoice({ ...invoice, billedTo: 'W'.repeat(500), lines }),
  );
  assert.equal(pages, 2);
  for (const { description } of lines) assert.ok(text.split('\n').includes(description));
  const name = text.split('\n').find((piece) => /^W+$/.test(piece));
  assert.ok(name && name.length < 60, name);
});
