import { decodePDFRawStream, PDFDocument, PDFRawStream } from '@cantoo/pdf-lib';

/** Parses a PDF document and returns the text on its pages, one piece per line. */
export async function readPdf(bytes: Uint8Array): Promise<{ pages: number; text: string }> {
  const document = await PDFDocument.load(bytes);
  const pieces: string[] = [];
  for (const [, object] of document.context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFRawStream)) continue;
    const content = Buffer.from(decodePDFRawStream(object).decode()).toString('latin1');
    for (const [, hex = ''] of content.matchAll(/<([0-9A-Fa-f]+)> Tj/g)) {
      pieces.push(Buffer.from(hex, 'hex').toString('latin1'));
    }
  }
  return { pages: document.getPageCount(), text: pieces.join('\n') };
}
