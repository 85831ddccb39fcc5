import { createRequire } from 'node:module';
import type { PDFFont, PDFPage } from '@cantoo/pdf-lib';
import type { InvoiceRenderer } from './invoices.ts';
import type { Invoice } from './types.ts';
import { toInvoiceNumber } from './types.ts';

const [WIDTH, HEIGHT] = [595.28, 841.89];
const MARGIN = 56;
const [TITLE_SIZE, TEXT_SIZE] = [22, 10];
const LINE_HEIGHT = 16;
const LINES_PER_PAGE = 36;

interface Fonts {
  readonly regular: PDFFont;
  readonly bold: PDFFont;
}

/**
 * Creates the renderer of invoices as PDF documents of A4 pages. The same invoice gives the same
 * bytes. It uses the PDF standard fonts, so no font has to be installed; a character that they lack
 * is `?` on the page, and unchanged in the document's title.
 *
 * @throws Error with the command that installs @cantoo/pdf-lib when it is missing
 */
export function createInvoiceRenderer(): InvoiceRenderer {
  try {
    createRequire(import.meta.url).resolve('@cantoo/pdf-lib');
  } catch (cause) {
    const message = 'Invoices as PDF need @cantoo/pdf-lib: npm install @cantoo/pdf-lib@2';
    throw new Error(message, { cause });
  }
  return renderInvoice;
}

async function renderInvoice(invoice: Invoice): Promise<Uint8Array> {
  // Loaded lazily with the first invoice: it is slow to load, and few processes render one.
  const { PDFDocument, StandardFonts } = await import('@cantoo/pdf-lib');
  const document = await PDFDocument.create({ updateMetadata: false });
  const fonts = {
    regular: await document.embedFont(StandardFonts.Helvetica),
    bold: await document.embedFont(StandardFonts.HelveticaBold),
  };
  document.setTitle(`Invoice ${toInvoiceNumber(invoice)} for ${invoice.billedTo}`);
  document.setProducer('Probity');
  document.setCreationDate(invoice.issuedAt);
  document.setModificationDate(invoice.issuedAt);
  const pageCount = Math.max(1, Math.ceil(invoice.lines.length / LINES_PER_PAGE));
  for (let index = 0; index < pageCount; index += 1) {
    const page = createPen(document.addPage([WIDTH, HEIGHT]), fonts);
    const lines = invoice.lines.slice(index * LINES_PER_PAGE, (index + 1) * LINES_PER_PAGE);
    drawHead(page, invoice);
    drawLines(page, lines, invoice.currency);
    if (index === pageCount - 1) drawTotal(page, invoice);
  }
  return document.save();
}

/** Writes text and rules to a page, top to bottom. */
interface Pen {
  /** Writes `left` at the left margin and `right` at the right margin, and moves down. */
  write(left: string, options?: { right?: string; bold?: boolean; size?: number }): void;
  /** Moves down by `lines` lines. */
  skip(lines: number): void;
  /** Draws a line across the page. */
  rule(): void;
}

function createPen(page: PDFPage, fonts: Fonts): Pen {
  let y = HEIGHT - MARGIN - TITLE_SIZE;
  return {
    write(left, { right = '', bold = false, size = TEXT_SIZE } = {}) {
      const font = bold ? fonts.bold : fonts.regular;
      const shown = fitText(toDrawable(left, font), font, size, right === '' ? 1 : 0.75);
      page.drawText(shown, { x: MARGIN, y, size, font });
      if (right !== '') {
        const x = WIDTH - MARGIN - font.widthOfTextAtSize(right, size);
        page.drawText(right, { x, y, size, font });
      }
      y -= LINE_HEIGHT;
    },
    skip(lines) {
      y -= lines * LINE_HEIGHT;
    },
    rule() {
      const height = y + LINE_HEIGHT - 5;
      page.drawLine({
        start: { x: MARGIN, y: height },
        end: { x: WIDTH - MARGIN, y: height },
        thickness: 0.5,
      });
      y -= 6;
    },
  };
}

function drawHead(pen: Pen, invoice: Invoice): void {
  pen.write('Invoice', { size: TITLE_SIZE, bold: true });
  pen.skip(1);
  pen.write('Number', { right: toInvoiceNumber(invoice) });
  pen.write('Reference', { right: invoice.id });
  pen.write('Date', { right: toDay(invoice.issuedAt) });
  pen.write('Due', { right: toDay(invoice.dueAt) });
  pen.write('Status', { right: invoice.status });
  pen.skip(1);
  pen.write('Billed to', { bold: true });
  pen.write(invoice.billedTo);
  pen.write(`Organization ${invoice.organizationId}`);
  if (invoice.billingEmail) pen.write(invoice.billingEmail);
  pen.skip(1);
}

function drawLines(pen: Pen, lines: Invoice['lines'], currency: string): void {
  pen.write('Description', { right: 'Amount', bold: true });
  pen.rule();
  for (const { description, amount } of lines) {
    pen.write(description, { right: formatAmount(amount, currency) });
  }
}

function drawTotal(pen: Pen, { amount, currency }: Invoice): void {
  pen.rule();
  pen.write('Total', { right: formatAmount(amount, currency), bold: true });
}

/** `499.00 USD` for 49900 minor units. */
function formatAmount(amount: number, currency: string): string {
  const digits = String(Math.abs(amount)).padStart(3, '0');
  const sign = amount < 0 ? '-' : '';
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)} ${currency.toUpperCase()}`;
}

function toDay(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/** Replaces characters that the font lacks by `?`. */
function toDrawable(text: string, font: PDFFont): string {
  const known = new Set(font.getCharacterSet());
  const characters = [...text.normalize('NFC')];
  return characters.map((each) => (known.has(each.codePointAt(0) ?? 0) ? each : '?')).join('');
}

/** Truncates the text to this fraction of the page width. */
function fitText(text: string, font: PDFFont, size: number, part: number): string {
  const width = (WIDTH - 2 * MARGIN) * part;
  let shown = text;
  while (font.widthOfTextAtSize(shown, size) > width) shown = shown.slice(0, -1);
  return shown;
}
