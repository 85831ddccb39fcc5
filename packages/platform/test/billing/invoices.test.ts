import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { OUTSIDE_REQUEST } from '@probity/core';
import { sampleTargets } from '@probity/test-support/combinations';
import { targets } from '../support.ts';
import { readPdf } from './pdf.ts';
import type { BillingWorld, Json } from './world.ts';
import { createBillingWorld } from './world.ts';

async function firstInvoice({ send, path }: BillingWorld): Promise<Json> {
  const { status, body } = await send('GET', `${path}/invoices`);
  assert.equal(status, 200);
  return body.invoices[0];
}

for (const target of sampleTargets(targets)) {
  describe(`${target.name}: invoices`, () => {
    test('bootstrap issues an invoice for a paid plan, and none for a free plan', async (t) => {
      const world = await createBillingWorld(t, target);
      const { body } = await world.send('GET', `${world.path}/invoices`);
      const { id, pdf_url: pdfUrl, ...rest } = body.invoices[0];
      assert.match(id, /^ivc_/);
      assert.ok(pdfUrl.startsWith(`${world.url}/v1/invoices/${id}/pdf?`), pdfUrl);
      assert.deepEqual(rest, {
        amount: 49_900,
        currency: 'usd',
        date: '2026-01-01',
        due_date: '2026-01-31',
        status: 'paid',
      });
      assert.deepEqual([body.total, body.limit, body.offset, body.has_more], [1, 50, 0, false]);
      const free = await createBillingWorld(t, target, { plan: 'free' });
      const none = await free.send('GET', `${free.path}/invoices`);
      assert.deepEqual([none.body.invoices, none.body.total], [[], 0]);
    });

    test('an invoice link opens a PDF without an API key, from any instance', async (t) => {
      const world = await createBillingWorld(t, target);
      const { pdf_url: pdfUrl } = await firstInvoice(world);
      const urls = [pdfUrl, ...(world.other ? [pdfUrl.replace(world.url, world.other.url)] : [])];
      for (const url of urls) {
        const response = await fetch(url);
        assert.equal(response.status, 200);
        assert.equal(response.headers.get('content-type'), 'application/pdf');
        assert.equal(
          response.headers.get('content-disposition'),
          'inline; filename="invoice-PB-000001.pdf"',
        );
        assert.equal(response.headers.get('server'), 'Probity-API/v1');
        const { text } = await readPdf(new Uint8Array(await response.arrayBuffer()));
        for (const piece of ['PB-000001', '499.00 USD', 'Ærø Føundation']) {
          assert.ok(text.split('\n').includes(piece), `${piece} in ${text}`);
        }
      }
      const head = await fetch(pdfUrl, { method: 'HEAD' });
      assert.equal(head.status, 200);
      assert.ok(Number(head.headers.get('content-length')) > 500);
    });

    test('without the option renderInvoice an invoice link answers 503 that names the option', async (t) => {
      const world = await createBillingWorld(t, target, { renderInvoice: null });
      const { pdf_url: pdfUrl } = await firstInvoice(world);
      const response = await fetch(pdfUrl);
      assert.equal(response.status, 503);
      const { error, message } = (await response.json()) as Json;
      assert.equal(error, 'service_unavailable');
      assert.match(message, /renderInvoice/);
      assert.equal((await fetch(pdfUrl.replace(/signature=[^&]+/, 'signature=AA'))).status, 403);
    });

    test('an invoice link that was altered, or is an hour old, is refused', async (t) => {
      const world = await createBillingWorld(t, target);
      const { id, pdf_url: pdfUrl } = await firstInvoice(world);
      const changed = [
        pdfUrl.replace(id, 'ivc_none'),
        pdfUrl.replace(/expires=\d+/, 'expires=99999999999'),
        pdfUrl.replace(/signature=[^&]+/, 'signature=AAAA'),
        pdfUrl.replace(/&signature=.*/, ''),
        pdfUrl.replace(/\?.*/, ''),
      ];
      for (const url of changed) {
        const response = await fetch(url);
        assert.equal(response.status, 403, url);
        assert.equal(((await response.json()) as Json).error, 'forbidden');
      }
      await world.clock.advance(3_600_000);
      const expired = await fetch(pdfUrl);
      assert.equal(expired.status, 403);
      assert.match(((await expired.json()) as Json).message, /expired/);
      assert.equal((await fetch((await firstInvoice(world)).pdf_url)).status, 200);
    });

    test('a valid link to an invoice that no longer exists is 404', async (t) => {
      const world = await createBillingWorld(t, target);
      const { pdf_url: pdfUrl } = await firstInvoice(world);
      const { organizationId } = world.organization;
      await world.opened.storage.transaction(OUTSIDE_REQUEST, (tx) =>
        tx.deleteTenant(organizationId),
      );
      assert.equal((await fetch(pdfUrl)).status, 404);
    });
  });
}
