export { createInvoiceRenderer } from './billing/pdf.ts';
