import { toPageInfo } from '@probity/core';
import type { Endpoint } from '@probity/core/koa';
import { endpoint, pageInfo, pageQuery, secretText } from '@probity/core/koa';
import { z } from 'zod';
import { organizationParams } from '../../organizations/http/params.ts';
import type { Invoices, LinkedInvoice } from '../invoices.ts';
import { INVOICE_STATUSES } from '../types.ts';

const invoice = z
  .strictObject({
    id: z.string(),
    amount: z.int().nonnegative().describe('In minor units of the currency (cents for usd).'),
    currency: z.string(),
    date: z.iso.date(),
    due_date: z.iso.date(),
    status: z.enum(INVOICE_STATUSES),
    pdf_url: secretText().describe(
      'Signed link to the PDF; needs no API key and expires after one hour.',
    ),
  })
  .meta({ id: 'Invoice' });

const linkQuery = z.strictObject({
  expires: z.string().max(20).default(''),
  signature: z.string().max(100).default(''),
});

/** Endpoints for invoices; they stay available when the API request quota is spent. */
export function invoiceEndpoints(invoices: Invoices): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/organizations/{org_id}/invoices',
      operationId: 'listInvoices',
      summary: 'List invoices, newest first',
      description:
        'Lists the invoices of the organization, each with a signed link to its PDF that expires after one hour.',
      tag: 'Billing',
      permission: 'invoices:read',
      rateLimit: 'platform',
      allowedOverQuota: true,
      params: organizationParams,
      query: pageQuery,
      responses: {
        200: {
          description: 'A page of invoices',
          schema: z.strictObject({ invoices: z.array(invoice), ...pageInfo }),
        },
      },
      async handler({ context, query, reply }) {
        const { items, total } = await invoices.list(context, query);
        return reply(200, { invoices: items.map(toWire), ...toPageInfo(query, total) });
      },
    }),
    endpoint({
      method: 'GET',
      path: '/invoices/{invoice_id}/pdf',
      operationId: 'openInvoicePdf',
      summary: 'Open the PDF of an invoice by its signed link',
      description:
        'Returns the PDF. The link of the invoice list carries the signature, so that no API key is needed.',
      tag: 'Billing',
      permission: 'public',
      rateLimit: 'platform',
      params: z.strictObject({ invoice_id: z.string() }),
      query: linkQuery,
      errors: ['forbidden'],
      responses: { 200: { description: 'The invoice', mediaType: 'application/pdf' } },
      async handler({ params, query, reply }) {
        const { fileName, bytes } = await invoices.openPdf(params.invoice_id, query);
        return reply.bytes('application/pdf', bytes, {
          headers: {
            'Content-Disposition': `inline; filename="${fileName}"`,
            'Cache-Control': 'private, no-store',
          },
        });
      },
    }),
  ];
}

function toWire(linked: LinkedInvoice): z.infer<typeof invoice> {
  return {
    id: linked.id,
    amount: linked.amount,
    currency: linked.currency,
    date: linked.issuedAt.toISOString().slice(0, 10),
    due_date: linked.dueAt.toISOString().slice(0, 10),
    status: linked.status,
    pdf_url: linked.pdfUrl,
  };
}
