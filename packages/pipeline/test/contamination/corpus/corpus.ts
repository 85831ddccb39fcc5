import type { Random } from '@probity/test-support/random';
import { createRandom, hashText } from '@probity/test-support/random';
import { CARRIERS } from './carriers.ts';
import { CLEAN_ROWS } from './clean-rows.ts';
import { OBFUSCATIONS } from './obfuscations.ts';
import { LONG_TEXTS, SHORT_TEXTS } from './protected-texts.ts';
import { REWORDED_ROWS } from './reworded-rows.ts';

/** A response, and whether it repeats a protected text. */
export interface ContaminationRow {
  readonly kind: string;
  readonly text: string;
  readonly leaks: boolean;
  /** Errors were looked at in half A only. */
  readonly half: 'A' | 'B';
}

/** Everything that must not be repeated. */
export const PROTECTED_TEXTS: readonly string[] = [...LONG_TEXTS, ...SHORT_TEXTS];

const CARRIER_LINES = linesOf(CARRIERS);
const QUOTE_LENGTHS = [13, 16, 20, 25, 30, 40];

/** Rows that repeat a protected text, in every obfuscation; each text is in one half only. */
export function leakRows(): ContaminationRow[] {
  return [...obfuscatedRows(), ...shortRows(), ...rewordedRows()];
}

/** Rows that repeat nothing, or fewer than eight words of a longer text. */
export function cleanRows(): ContaminationRow[] {
  const written = linesOf(CLEAN_ROWS).map((text, at) => toRow('clean', text, false, at));
  return [...written, ...shortQuotes()];
}

function obfuscatedRows(): ContaminationRow[] {
  const names = Object.keys(OBFUSCATIONS);
  return LONG_TEXTS.flatMap((text, at) =>
    Array.from({ length: 9 }, (_, turn) => {
      const name = names[(at * 9 + turn) % names.length] as string;
      const random = createRandom(hashText(`${at} ${name}`));
      const leak = OBFUSCATIONS[name]?.(cut(text, random.pick(QUOTE_LENGTHS), random), random);
      return toRow(name, carry(leak ?? '', random), true, at);
    }),
  );
}

/** A short text is repeated whole. */
function shortRows(): ContaminationRow[] {
  return SHORT_TEXTS.flatMap((text, at) =>
    ['verbatim', 'cased', 'punctuated', 'base64'].map((name) => {
      const random = createRandom(hashText(`${text} ${name}`));
      const leak = OBFUSCATIONS[name]?.(text, random) ?? '';
      return toRow(`short_${name}`, carry(leak, random), true, at);
    }),
  );
}

function rewordedRows(): ContaminationRow[] {
  return linesOf(REWORDED_ROWS).map((line) => {
    const [, number = '', text = ''] = /^(\d+)\|(.*)$/s.exec(line) ?? [];
    return toRow('reworded', text, true, Number(number));
  });
}

function shortQuotes(): ContaminationRow[] {
  return LONG_TEXTS.flatMap((text, at) =>
    [4, 5, 6, 7].map((length) => {
      const random = createRandom(hashText(`${at} quote ${length}`));
      return toRow(`quote_${length}`, carry(quote(text, length, random), random), false, at);
    }),
  );
}

/** So many words in a row, or all where there are fewer; parted by blanks and single new lines. */
function cut(text: string, length: number, random: Random): string {
  const words = text.split(' ');
  const from = random.below(Math.max(1, words.length - length));
  return words.slice(from, from + length).join(' ');
}

/** So many words in a row; here what a sign parts are two words. */
function quote(text: string, length: number, random: Random): string {
  const words = [...text.matchAll(/[\p{L}\p{N}]+/gu)];
  const from = random.below(words.length - length);
  const [first, last] = [words[from], words[from + length - 1]];
  return text.slice(first?.index ?? 0, (last?.index ?? 0) + (last?.[0].length ?? 0));
}

function carry(leak: string, random: Random): string {
  return random.pick(CARRIER_LINES).replace('%s', () => leak);
}

function toRow(kind: string, text: string, leaks: boolean, at: number): ContaminationRow {
  return { kind, text, leaks, half: at % 2 === 0 ? 'A' : 'B' };
}

function linesOf(rows: string): string[] {
  return rows
    .trim()
    .split('\n')
    .map((row) => row.replaceAll(String.raw`\n`, '\n'));
}
