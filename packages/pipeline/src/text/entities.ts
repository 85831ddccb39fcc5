/** The named character references of HTML that hide ASCII or blanks; the rest of the list is harmless here. */
const NAMED_ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
  ['num', '#'],
  ['excl', '!'],
  ['dollar', '$'],
  ['percnt', '%'],
  ['lpar', '('],
  ['rpar', ')'],
  ['ast', '*'],
  ['plus', '+'],
  ['comma', ','],
  ['period', '.'],
  ['sol', '/'],
  ['colon', ':'],
  ['semi', ';'],
  ['equals', '='],
  ['quest', '?'],
  ['commat', '@'],
  ['lbrack', '['],
  ['lsqb', '['],
  ['bsol', '\\'],
  ['rsqb', ']'],
  ['rbrack', ']'],
  ['hat', '^'],
  ['lowbar', '_'],
  ['grave', '`'],
  ['lcub', '{'],
  ['verbar', '|'],
  ['vert', '|'],
  ['rcub', '}'],
  ['newline', '\n'],
  ['tab', '\t'],
  ['hyphen', '-'],
  ['ndash', '-'],
  ['mdash', '-'],
  ['lsquo', "'"],
  ['rsquo', "'"],
  ['ldquo', '"'],
  ['rdquo', '"'],
]);

/** The character of a reference, with its signs: `&amp;`, `&#38;`, `&#x26;`; undefined for others. */
export function decodeEntity(match: string): string | undefined {
  if (match[1] !== '#') return NAMED_ENTITIES.get(match.slice(1, -1).toLowerCase());
  const hex = match[2] === 'x' || match[2] === 'X';
  return toCharacter(Number.parseInt(match.slice(hex ? 3 : 2, -1), hex ? 16 : 10));
}

/** The character of a code point; undefined for control characters, surrogates and what is none. */
export function toCharacter(code: number): string | undefined {
  const surrogate = code >= 0xd800 && code <= 0xdfff;
  return code < 0x20 || code > 0x10ffff || surrogate ? undefined : String.fromCodePoint(code);
}
