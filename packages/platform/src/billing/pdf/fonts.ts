import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { PDFDocument, PDFFont } from '@cantoo/pdf-lib';

/** The fonts of one weight, in the order in which a text may use them. */
export type FontChain = readonly LoadedFont[];

/** An embedded font and the code points that it can draw. */
interface LoadedFont {
  readonly font: PDFFont;
  readonly characters: ReadonlySet<number>;
}

/** Finds the fonts of a text in both weights. */
export interface Fonts {
  readonly regular: (text: string) => FontChain;
  readonly bold: (text: string) => FontChain;
}

/** DejaVu draws Latin, Greek, Cyrillic, Hebrew, Arabic and more; Unifont draws the rest of the Basic Multilingual Plane. */
export const FONT_FILES = {
  regular: 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf',
  bold: 'dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf',
  rest: '@fontsource/unifont/files/unifont-latin-400-normal.woff',
} as const;

const { resolve } = createRequire(import.meta.url);

/**
 * Embeds the fonts that the texts need: the standard fonts where they have every character, else
 * subsets of DejaVu and Unifont.
 */
export async function loadFonts(document: PDFDocument, texts: readonly string[]): Promise<Fonts> {
  const { StandardFonts } = await import('@cantoo/pdf-lib');
  const regular = await embed(document, StandardFonts.Helvetica);
  const bold = await embed(document, StandardFonts.HelveticaBold);
  if (texts.every((text) => hasAll(regular, text))) {
    return { regular: () => [regular], bold: () => [bold] };
  }
  const { default: fontkit } = await import('@cantoo/fontkit');
  document.registerFontkit(fontkit);
  const embedFile = async (name: keyof typeof FONT_FILES) =>
    embed(document, await readFile(resolve(FONT_FILES[name])));
  const wide = {
    regular: await embedFile('regular'),
    bold: await embedFile('bold'),
    rest: await embedFile('rest'),
  };
  // A word in two typefaces is hard to read, so one font draws as much of a text as it can.
  const choose = (standard: LoadedFont, dejaVu: LoadedFont) => (text: string) =>
    hasAll(standard, text) ? [standard] : [dejaVu, wide.rest];
  return { regular: choose(regular, wide.regular), bold: choose(bold, wide.bold) };
}

async function embed(document: PDFDocument, font: string | Uint8Array): Promise<LoadedFont> {
  const embedded = await document.embedFont(font, { subset: typeof font !== 'string' });
  return { font: embedded, characters: new Set(embedded.getCharacterSet()) };
}

function hasAll({ characters }: LoadedFont, text: string): boolean {
  return [...text].every((character) => characters.has(character.codePointAt(0) ?? 0));
}
