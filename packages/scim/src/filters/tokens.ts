import { excerpt, scimError } from '../errors.ts';

/** A part of a filter: a bracket, a text in quotes, or a word (a path, an operator or another value). */
export interface Token {
  readonly kind: '(' | ')' | '[' | ']' | 'text' | 'word';
  /** As written; of a text, its value. */
  readonly text: string;
  /** Index of its first character. */
  readonly start: number;
}

/** Each alternative starts with other characters, so that the time is linear. */
const TOKEN = /\s*(?:([()[\]])|("(?:[^"\\]|\\[\s\S])*")|([^\s()[\]"]+))/y;

/** Splits a filter or a PATCH path into tokens. */
export function tokenize(filter: string): readonly Token[] {
  const tokens: Token[] = [];
  const text = filter.trimEnd();
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const from = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (!match)
      throw scimError('invalidFilter', `A quote is not closed: ${excerpt(text.slice(from))}`);
    const [, bracket, quoted, word] = match;
    const written = bracket ?? quoted ?? word ?? '';
    const start = TOKEN.lastIndex - written.length;
    if (bracket) tokens.push({ kind: bracket as '(', text: bracket, start });
    else if (quoted) tokens.push({ kind: 'text', text: unquote(quoted), start });
    else tokens.push({ kind: 'word', text: written, start });
  }
  return tokens;
}

function unquote(quoted: string): string {
  const text = parseString(quoted);
  if (text === null) throw scimError('invalidFilter', `${excerpt(quoted)} is not a JSON string`);
  if (text.includes('\0') || !text.isWellFormed()) {
    throw scimError('invalidFilter', 'A value contains U+0000 or half of a surrogate pair');
  }
  return text;
}

function parseString(quoted: string): string | null {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return null;
  }
}
