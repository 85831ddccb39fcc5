import { createRandom, hashText } from '@probity/test-support/random';
import { expandSlots } from './slots.ts';

/** A type, or `any` where both a finding and none are right (bank codes, broadcast addresses). */
type MarkType = (typeof MARK_TYPES)[keyof typeof MARK_TYPES];

const MARK_TYPES = {
  m: 'email',
  p: 'phone_number',
  s: 'ssn',
  c: 'credit_card',
  b: 'bank_account',
  t: 'passport',
  i: 'ip_address',
  '?': 'any',
} as const;

/** Where personal data stand in a text, in UTF-16 units. */
interface Mark {
  readonly type: MarkType;
  readonly start: number;
  readonly end: number;
}

/** A text with its marks. Rows of half B are looked at for final figures only. */
export interface MarkedRow {
  readonly text: string;
  readonly marks: readonly Mark[];
  readonly half: 'A' | 'B';
}

/**
 * Reads a block of rows, one a line: `*3 ` before a row makes it three times with other numbers, `\n`
 * and `\t` are a line break and a tab, `{{slot}}` is filled in (see `slots.ts`) and `[[p:...]]` marks a
 * span (m e-mail, p phone, s SSN, c card, b bank account, t passport, i IP address, ? either way).
 * Numbers and half follow from the row's own words: a row added later changes no other.
 */
export function parseRows(block: string): MarkedRow[] {
  return block
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => {
      const [, times = '1', row = ''] = /^(?:\*(\d) )?(.*)$/su.exec(line) ?? [];
      const random = createRandom(hashText(row));
      const half = hashText(`half ${row}`) % 2 === 0 ? 'A' : 'B';
      return Array.from({ length: Number(times) }, () => {
        const unescaped = row.replaceAll('\\n', '\n').replaceAll('\\t', '\t');
        return { ...readMarks(expandSlots(unescaped, random)), half } as const;
      });
    });
}

function readMarks(marked: string): { readonly text: string; readonly marks: readonly Mark[] } {
  const marks: Mark[] = [];
  let text = '';
  let from = 0;
  for (const match of marked.matchAll(/\[\[([mpscbti?]):(.*?)\]\](?!\](?!:))/gsu)) {
    text += marked.slice(from, match.index);
    const value = match[2] ?? '';
    const type = MARK_TYPES[match[1] as keyof typeof MARK_TYPES];
    marks.push({ type, start: text.length, end: text.length + value.length });
    text += value;
    from = match.index + match[0].length;
  }
  return { text: text + marked.slice(from), marks };
}
