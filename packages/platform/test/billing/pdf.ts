import type { PDFDict, PDFPage } from '@cantoo/pdf-lib';
import { decodePDFRawStream, PDFDocument, PDFName, PDFRawStream } from '@cantoo/pdf-lib';

/** Parses a PDF document and returns the text on its pages, one line per baseline. */
export async function readPdf(bytes: Uint8Array): Promise<{ pages: number; text: string }> {
  const document = await PDFDocument.load(bytes);
  const text = document.getPages().map(readPage).join('\n');
  return { pages: document.getPageCount(), text };
}

/** Text of one font as the document shows it: through `ToUnicode`, else as Windows-1252. */
type Decoder = (hex: string) => string;

function readPage(page: PDFPage): string {
  const fonts = page.node.Resources()?.lookup(PDFName.of('Font')) as PDFDict;
  const decoders = new Map<string, Decoder>();
  for (const [name, reference] of fonts.entries()) {
    const font = page.doc.context.lookup(reference) as PDFDict;
    decoders.set(name.toString(), decoderOf(font.lookup(PDFName.of('ToUnicode'))));
  }
  const contents = page.node.Contents();
  const streams = contents && 'asArray' in contents ? contents.asArray() : [contents];
  const source = streams
    .map((each) => contentOf(each && page.doc.context.lookup(each as never)))
    .join('\n');
  let decode: Decoder = () => '';
  const lines: { x: string; y: string; text: string }[] = [];
  let at = { x: '', y: '' };
  const operators = /(\/\S+) \S+ Tf|1 0 0 1 (\S+) (\S+) Tm|<([0-9A-Fa-f]*)> Tj/g;
  for (const [, font, x, y, hex] of source.matchAll(operators)) {
    if (font) decode = decoders.get(font) ?? decode;
    if (x && y) at = { x, y };
    if (hex !== undefined) lines.push({ ...at, text: decode(hex) });
  }
  return lines.map(({ text }) => text).join('\n');
}

function contentOf(stream: unknown): string {
  if (!(stream instanceof PDFRawStream)) return '';
  return Buffer.from(decodePDFRawStream(stream).decode()).toString('latin1');
}

function decoderOf(map: unknown): Decoder {
  const cmap = contentOf(map);
  if (!cmap) return (hex) => new TextDecoder('windows-1252').decode(Buffer.from(hex, 'hex'));
  const characters = new Map<string, string>();
  for (const [, code = '', hex = ''] of cmap.matchAll(/^<(\w{4})> <(\w+)>$/gm)) {
    const units = hex.match(/.{4}/g) ?? [];
    characters.set(
      code,
      units.map((unit) => String.fromCharCode(Number.parseInt(unit, 16))).join(''),
    );
  }
  return (hex) =>
    (hex.match(/.{4}/g) ?? []).map((code) => characters.get(code) ?? '\uFFFD').join('');
}
