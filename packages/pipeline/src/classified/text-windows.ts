import type { TextRange } from '../types.ts';

/**
 * Cuts a text into windows of at most `length` UTF-16 units that overlap by `overlap`; cuts lie at a
 * blank where there is one near. Windows of nothing but white space are left out.
 */
export function windowsOf(text: string, length: number, overlap: number): TextRange[] {
  const windows: TextRange[] = [];
  for (let start = 0; start < text.length; ) {
    const end =
      start + length >= text.length ? text.length : wordEnd(text, start + length, overlap);
    if (/\S/.test(text.slice(start, end))) windows.push({ start, end });
    if (end === text.length) break;
    start = wordEnd(text, end - overlap, overlap);
  }
  return windows;
}

/** The place behind the last blank within `within` units before `place`; else outside of a character. */
function wordEnd(text: string, place: number, within: number): number {
  const blank = text.slice(place - Math.floor(within / 2), place).search(/\s\S*$/);
  if (blank >= 0) return place - Math.floor(within / 2) + blank + 1;
  const code = text.charCodeAt(place);
  return code >= 0xdc00 && code <= 0xdfff ? place - 1 : place;
}
