import type { CallContext, Page, PageOf, Runtime, Storage } from '@probity/core';
import { notFound, OUTSIDE_REQUEST, ProbityError } from '@probity/core';
import type { InvoiceLinkProof, InvoiceLinks } from './invoice-links.ts';
import type { InvoiceReads, InvoiceWrites } from './storage.ts';
import type { Invoice } from './types.ts';
import { toInvoiceNumber } from './types.ts';

/** An invoice with the URL of its PDF. */
export interface LinkedInvoice extends Invoice {
  /** Absolute signed URL, valid for one hour. */
  readonly pdfUrl: string;
}

/** A rendered invoice, ready to send. */
export interface InvoicePdf {
  readonly fileName: string;
  readonly bytes: Uint8Array;
}

/**
 * Renders an invoice as a PDF document, such as `createInvoiceRenderer` of `@probity/platform/pdf`.
 */
export type InvoiceRenderer = (invoice: Invoice) => Promise<Uint8Array>;

/** The invoices of an organization. */
export interface Invoices {
  /** Lists the invoices, newest first. */
  list(context: CallContext, page: Page): Promise<PageOf<LinkedInvoice>>;
  /**
   * Renders the PDF for a signed link.
   * @throws ProbityError `forbidden` for a link that was not issued here or has expired,
   *   `not_found`, `unavailable` without the option `renderInvoice`
   */
  openPdf(invoiceId: string, proof: InvoiceLinkProof): Promise<InvoicePdf>;
  /**
   * Marks an open invoice as paid; for hosts that collect payments (`settlement: 'by_host'`).
   * @throws ProbityError `not_found`, `conflict` when it is not open
   */
  settle(organizationId: string, invoiceId: string): Promise<Invoice>;
}

/** Dependencies of the invoice service. */
export interface InvoiceOptions {
  readonly storage: Storage<InvoiceReads, InvoiceWrites>;
  readonly links: InvoiceLinks;
  /** Base URL of the platform API, such as `https://example.com/v1`. */
  platformUrl(): string;
  readonly renderInvoice?: InvoiceRenderer | undefined;
}

const refuseToRender: InvoiceRenderer = async () => {
  throw new ProbityError(
    'unavailable',
    'PDF invoices are not available: createPlatform has no option renderInvoice.',
  );
};

/** Creates the invoice service. */
export function createInvoices({ audit }: Runtime, options: InvoiceOptions): Invoices {
  const { storage, links, platformUrl, renderInvoice = refuseToRender } = options;

  function linked(invoice: Invoice): LinkedInvoice {
    const { expires, signature } = links.sign(invoice.id);
    const query = new URLSearchParams({ expires, signature });
    return { ...invoice, pdfUrl: `${platformUrl()}/invoices/${invoice.id}/pdf?${query}` };
  }

  return {
    async list({ principal }, page) {
      const { items, total } = await storage.listInvoices(principal.organizationId, page);
      return { items: items.map(linked), total };
    },

    async openPdf(invoiceId, proof) {
      links.verify(invoiceId, proof);
      const invoice = await storage.findInvoice(invoiceId);
      if (!invoice) throw notFound('invoice');
      const fileName = `invoice-${toInvoiceNumber(invoice)}.pdf`;
      return { fileName, bytes: await renderInvoice(invoice) };
    },

    settle: (organizationId, invoiceId) =>
      storage.withTenantLock(OUTSIDE_REQUEST, organizationId, async (tx) => {
        const invoice = await tx.findInvoice(invoiceId);
        if (invoice?.organizationId !== organizationId) throw notFound('invoice');
        const paid = await tx.settleInvoice(organizationId, invoiceId);
        if (!paid)
          throw new ProbityError('conflict', `The invoice is ${invoice.status}, not open.`);
        const by = { organizationId, system: 'billing' };
        await audit.record(
          tx,
          by,
          'invoice.settled',
          { type: 'invoice', id: invoiceId },
          {
            before: { status: invoice.status },
            after: { status: paid.status },
          },
        );
        return paid;
      }),
  };
}
