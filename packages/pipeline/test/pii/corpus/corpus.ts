import { createRandom, hashText } from '@probity/test-support/random';
import { BANK_ROWS } from './bank-rows.ts';
import { CARD_ROWS } from './card-rows.ts';
import { DOCUMENT_NEGATIVES, DOCUMENT_ROWS } from './document-rows.ts';
import { EMAIL_ROWS } from './email-rows.ts';
import { LATER_NEGATIVES } from './later-negatives.ts';
import { LATER_ROWS, MADE_UP_FORMATS } from './later-rows.ts';
import { MIXED_ROWS } from './mixed-rows.ts';
import { NETWORK_ROWS } from './network-rows.ts';
import { NUMBER_NEGATIVES } from './number-negatives.ts';
import { NUMBERING_NEGATIVES } from './numbering-negatives.ts';
import type { MarkedRow } from './parse-rows.ts';
import { parseRows } from './parse-rows.ts';
import { PASSPORT_ROWS } from './passport-rows.ts';
import { PHONE_CARRIERS, PHONE_FORMATS } from './phone-formats.ts';
import { PHONE_ROWS } from './phone-rows.ts';
import { SHAPE_NEGATIVES } from './shape-negatives.ts';
import { SSN_ROWS } from './ssn-rows.ts';

/** Texts with personal data. */
export function positiveRows(): MarkedRow[] {
  const blocks = [EMAIL_ROWS, NETWORK_ROWS, PHONE_ROWS, CARD_ROWS, SSN_ROWS, BANK_ROWS];
  return [...blocks, PASSPORT_ROWS, DOCUMENT_ROWS, phoneRows()].flatMap(parseRows);
}

/** Texts without personal data that look as if they had some. */
export function negativeRows(): MarkedRow[] {
  return [NUMBER_NEGATIVES, SHAPE_NEGATIVES, DOCUMENT_NEGATIVES].flatMap(parseRows);
}

/** Texts with personal data that were written after the rules. */
export function laterRows(): MarkedRow[] {
  const formats = MADE_UP_FORMATS.trim().split('\n');
  const rows = LATER_ROWS.trim()
    .split('\n')
    .flatMap((row) => {
      const random = createRandom(hashText(row));
      const [, times = '1', words = ''] = /^(?:\*(\d) )?(.*)$/su.exec(row) ?? [];
      return Array.from({ length: 3 * Number(times) }, () =>
        words.replaceAll('{{phone}}', () => `[[p:{{d:${random.pick(formats)}}}]]`),
      );
    });
  return [[...new Set(rows)].join('\n'), MIXED_ROWS].flatMap(parseRows);
}

/** Texts without personal data that were written after the rules. */
export function laterNegatives(): MarkedRow[] {
  return [LATER_NEGATIVES, NUMBERING_NEGATIVES].flatMap(parseRows);
}

/** Every format of a telephone number in a sentence of its language, chosen by the format's own words. */
function phoneRows(): string {
  const lines = PHONE_FORMATS.trim().split('\n');
  return lines
    .flatMap((line) =>
      line
        .slice(3)
        .split('; ')
        .map((format) => phoneRow(line.slice(0, 2), format)),
    )
    .join('\n');
}

function phoneRow(language: string, format: string): string {
  const [needed = '', free = ''] = (PHONE_CARRIERS[language] ?? '').split('\n--\n');
  const isInternational = /^(?:\+|00)/u.test(format);
  const carriers = `${needed}${isInternational ? `\n${free}` : ''}`.split('\n');
  const carrier = createRandom(hashText(`${language} ${format}`)).pick(carriers);
  return carrier.replace(/(?<![A-Za-z])N(?![A-Za-z])/u, `[[p:{{d:${format}}}]]`);
}
