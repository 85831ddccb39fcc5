import type { PDFFont } from '@cantoo/pdf-lib';
import type { FontChain } from './fonts.ts';

/** A part of a line in one font and one direction. */
export interface TextRun {
  readonly text: string;
  readonly font: PDFFont;
}

/** Returns a text's embedding level per UTF-16 unit, as UAX #9 computes them. */
export type BidiLevels = (text: string) => ArrayLike<number>;

interface LevelRun extends TextRun {
  readonly level: number;
}

/** Splits a line into runs, in the order in which they are drawn from left to right. */
export function toRuns(line: string, fonts: FontChain, levelsOf: BidiLevels): TextRun[] {
  const levels = levelsOf(line);
  const runs: LevelRun[] = [];
  let at = 0;
  for (const character of line) {
    const level = levels[at] ?? 0;
    at += character.length;
    const piece = toDrawable(character, fonts, runs.at(-1)?.font);
    if (!piece) continue;
    const last = runs.at(-1);
    if (last && last.font === piece.font && last.level === level) {
      runs[runs.length - 1] = { ...last, text: last.text + piece.text };
    } else runs.push({ ...piece, level });
  }
  return toVisualOrder(runs);
}

/** Splits a text into lines of at most `width`, at spaces where there are any. */
export function wrapText(text: string, width: number, widthOf: (line: string) => number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text)) {
    if (widthOf(line + segment) <= width) {
      line += segment;
      continue;
    }
    if (line.trim()) lines.push(line.trim());
    line = '';
    for (const { segment: letter } of new Intl.Segmenter().segment(segment)) {
      if (line && widthOf(line + letter) > width) {
        lines.push(line);
        line = '';
      }
      line += letter;
    }
  }
  return line.trim() ? [...lines, line.trim()] : lines;
}

/** The first font with the character draws it; no font has those outside the Basic Multilingual Plane. */
function toDrawable(
  character: string,
  fonts: FontChain,
  current: PDFFont | undefined,
): TextRun | null {
  const point = character.codePointAt(0) ?? 0;
  const having = fonts.filter(({ characters }) => characters.has(point));
  const chosen =
    /\s/u.test(character) && having.some(({ font }) => font === current)
      ? current
      : having[0]?.font;
  if (chosen) return { text: character, font: chosen };
  if (/\p{Default_Ignorable_Code_Point}|\p{Cc}/u.test(character)) return null;
  const named = `U+${point.toString(16).toUpperCase()}`;
  return { text: named, font: (fonts[0] as FontChain[number]).font };
}

/** Rule L2 of UAX #9 for runs: reverses all runs of at least each level, from the highest level down. */
function toVisualOrder(runs: LevelRun[]): LevelRun[] {
  const ordered = [...runs];
  const highest = Math.max(0, ...runs.map(({ level }) => level));
  for (let level = highest; level > 0; level -= 1) {
    for (let start = 0; start < ordered.length; start += 1) {
      let end = start;
      while ((ordered[end]?.level ?? -1) >= level) end += 1;
      if (end > start) ordered.splice(start, end - start, ...ordered.slice(start, end).reverse());
      start = Math.max(start, end);
    }
  }
  return ordered;
}
