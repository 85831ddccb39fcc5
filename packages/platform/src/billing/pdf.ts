import { createRequire } from 'node:module';
import type { PDFPage } from '@cantoo/pdf-lib';
import type { InvoiceRenderer } from './invoices.ts';
import type { Fonts } from './pdf/fonts.ts';
import { FONT_FILES, loadFonts } from './pdf/fonts.ts';
import type { BidiLevels, TextRun } from './pdf/text-runs.ts';
import { toRuns, wrapText } from './pdf/text-runs.ts';
import type { Invoice } from './types.ts';
import { toInvoiceNumber } from './types.ts';

const [WIDTH, HEIGHT] = [595.28, 841.89];
const MARGIN = 56;
const [TITLE_SIZE, TEXT_SIZE] = [22, 10];
const LINE_HEIGHT = 16;
const LINES_PER_PAGE = 24;

/** The optional peers that draw invoices, the fonts by their files. */
const PEERS = ['@cantoo/pdf-lib', '@cantoo/fontkit', 'bidi-js', ...Object.values(FONT_FILES)];

/**
 * Creates the renderer of invoices as PDF documents of A4 pages. The same invoice gives the same
 * bytes. Every script of the Basic Multilingual Plane is drawn, by embedded fonts where the PDF
 * standard fonts lack a character; characters outside of it are written as `U+20BB7`.
 *
 * @throws Error with the command that installs the packages when one is missing
 */
export function createInvoiceRenderer(): InvoiceRenderer {
  const { resolve } = createRequire(import.meta.url);
  try {
    for (const name of PEERS) resolve(name);
  } catch (cause) {
    const message =
      'Invoices as PDF need five packages: npm install @cantoo/pdf-lib@2 @cantoo/fontkit@2 ' +
      '@fontsource/unifont@5 bidi-js@1 dejavu-fonts-ttf@2';
    throw new Error(message, { cause });
  }
  return renderInvoice;
}

async function renderInvoice(invoice: Invoice): Promise<Uint8Array> {
  // Loaded lazily with the first invoice: it is slow to load, and few processes render one.
  const { PDFDocument } = await import('@cantoo/pdf-lib');
  const levelsOf = await loadBidiLevels();
  const document = await PDFDocument.create({ updateMetadata: false });
  const descriptions = invoice.lines.map(({ description }) => description);
  const texts = [invoice.billedTo, invoice.billingEmail ?? '', ...descriptions].map(toText);
  const fonts = await loadFonts(document, texts);
  document.setTitle(`Invoice ${toInvoiceNumber(invoice)} for ${invoice.billedTo}`);
  document.setProducer('Probity');
  document.setCreationDate(invoice.issuedAt);
  document.setModificationDate(invoice.issuedAt);
  const pageCount = Math.max(1, Math.ceil(invoice.lines.length / LINES_PER_PAGE));
  for (let index = 0; index < pageCount; index += 1) {
    const page = createPen(document.addPage([WIDTH, HEIGHT]), fonts, levelsOf);
    const lines = invoice.lines.slice(index * LINES_PER_PAGE, (index + 1) * LINES_PER_PAGE);
    drawHead(page, invoice);
    drawLines(page, lines, invoice.currency);
    if (index === pageCount - 1) drawTotal(page, invoice);
  }
  return document.save();
}

async function loadBidiLevels(): Promise<BidiLevels> {
  // Its types describe an ES module, but it is a CommonJS one that exports the function itself.
  const { default: createBidi } = (await import('bidi-js')) as unknown as {
    default: typeof import('bidi-js')['default'];
  };
  const bidi = createBidi();
  return (text) => bidi.getEmbeddingLevels(text, 'ltr').levels;
}

/** Writes text and rules to a page, top to bottom. */
interface Pen {
  /**
   * Writes `left` at the left margin, in as many lines as it needs, and `right` at the right margin, and
   * moves down.
   */
  write(left: string, options?: { right?: string; bold?: boolean; size?: number }): void;
  /** Moves down by `lines` lines. */
  skip(lines: number): void;
  /** Draws a line across the page. */
  rule(): void;
}

function createPen(page: PDFPage, fonts: Fonts, levelsOf: BidiLevels): Pen {
  let y = HEIGHT - MARGIN - TITLE_SIZE;
  const widthOf = (runs: readonly TextRun[], size: number) =>
    runs.reduce((sum, { text, font }) => sum + font.widthOfTextAtSize(text, size), 0);
  const draw = (runs: readonly TextRun[], from: number, size: number) => {
    let x = from;
    for (const { text, font } of runs) {
      page.drawText(text, { x, y, size, font });
      x += font.widthOfTextAtSize(text, size);
    }
  };
  return {
    write(given, { right = '', bold = false, size = TEXT_SIZE } = {}) {
      const left = toText(given);
      const chain = (bold ? fonts.bold : fonts.regular)(left);
      const runsOf = (text: string) => toRuns(text, chain, levelsOf);
      const width = (WIDTH - 2 * MARGIN) * (right === '' ? 1 : 0.75);
      if (right !== '') {
        const runs = runsOf(right);
        draw(runs, WIDTH - MARGIN - widthOf(runs, size), size);
      }
      for (const line of wrapText(left, width, (text) => widthOf(runsOf(text), size))) {
        draw(runsOf(line), MARGIN, size);
        y -= LINE_HEIGHT;
      }
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

function toText(text: string): string {
  return text.normalize('NFC');
}
