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

const NAMES = [
  'Őszi Szőlő Kft.',
  'Łódzkie Źródło Sp. z o.o.',
  'Şişli Yazılım A.Ş.',
  'Příliš žluťoučký s.r.o.',
  'ООО Ёлка и Ко',
  '№1 Café ₺ ₴',
  'Ελληνική Α.Ε.',
  'Հայկական ՍՊԸ',
  '株式会社東京',
  '中国银行股份有限公司',
  '삼성전자주식회사',
  'ไทยจำกัด',
  'አማርኛ',
];

for (const name of NAMES) {
  test(`an invoice shows every letter of ${name}`, async () => {
    const { text } = await readPdf(await renderInvoice({ ...invoice, billedTo: name }));
    const drawn = text.replaceAll('\n', '');
    assert.ok(drawn.includes(name), text);
    assert.ok(!/[?\uFFFD]/.test(drawn), text);
  });
}

test('an invoice draws right-to-left names from right to left, around numbers', async () => {
  const { text } = await readPdf(
    await renderInvoice({ ...invoice, billedTo: 'Acme שלום 42 עולם' }),
  );
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.startsWith('Acme'));
  const reverse = (word: string) => [...word].reverse().join('');
  assert.deepEqual(
    lines.slice(start, start + 4).map((line) => line.trim()),
    ['Acme', reverse('עולם'), '42', reverse('שלום')],
  );
});

test('an invoice names a character outside the Basic Multilingual Plane by its code point', async () => {
  const bytes = await renderInvoice({ ...invoice, billedTo: '日本 Co \u{20BB7}' });
  const { text } = await readPdf(bytes);
  assert.ok(text.includes('U+20BB7'), text);
  const document = await PDFDocument.load(bytes);
  assert.equal(document.getTitle(), 'Invoice PB-000042 for 日本 Co \u{20BB7}');
});

test('rendering an invoice with embedded fonts twice gives the same PDF bytes', async () => {
  const named = { ...invoice, billedTo: 'Łódź 株式会社' };
  assert.deepEqual(await renderInvoice(named), await renderInvoice({ ...named }));
});

test('a long name continues on the next line, and many lines on the next page', async () => {
  const lines = Array.from({ length: 50 }, (_, index) => ({
    description: `Line ${index}`,
    amount: index,
  }));
  const { pages, text } = await readPdf(
    await renderInvoice({ ...invoice, billedTo: 'W'.repeat(100), lines }),
  );
  assert.equal(pages, 3);
  for (const { description } of lines) assert.ok(text.split('\n').includes(description));
  const name = text.split('\n').filter((piece) => /^W+$/.test(piece));
  assert.equal(name.slice(0, 2).join('').length, 100);
});
