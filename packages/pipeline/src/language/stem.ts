import irregularForms from './data/irregular-forms.json' with { type: 'json' };

/** Base forms by the forms that no rule gives. */
const IRREGULAR: ReadonlyMap<string, string> = readIrregular();
const VOWEL = /[aeiouy]/;
const DOUBLED = /([bdfgmnprt])\1$/;

function readIrregular(): Map<string, string> {
  const bases = new Map<string, string>();
  for (const [base = '', ...forms] of irregularForms) {
    for (const form of forms) if (!bases.has(form)) bases.set(form, base);
  }
  return bases;
}

/**
 * A common form for the forms of an English word: plural, tense, -ly, -ness, -ment and the like taken
 * off. What is left need not be a word. `word` in lower case; other languages come out a little shorter.
 */
export function stemOf(word: string): string {
  const base = IRREGULAR.get(word) ?? word;
  return base.length <= 3 ? base : tidy(withoutDerivation(withoutInflection(base)));
}

function withoutInflection(word: string): string {
  if (word.endsWith('ies')) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
  if (word.endsWith('ied')) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
  if (/(?:ss|x|ch|sh|z)es$/.test(word)) return word.slice(0, -2);
  if (word.endsWith('s') && !/(?:ss|us|is)$/.test(word)) return word.slice(0, -1);
  if (word.endsWith('eed')) return word;
  if (word.endsWith('ed')) return undouble(word, 2);
  return word.endsWith('ing') ? undouble(word, 3) : word;
}

function undouble(word: string, length: number): string {
  const rest = word.slice(0, -length);
  if (rest.length < 2 || !VOWEL.test(rest)) return word;
  return DOUBLED.test(rest) ? rest.slice(0, -1) : rest;
}

function withoutDerivation(word: string): string {
  let rest = word;
  if (rest.length > 5 && rest.endsWith('ily')) rest = `${rest.slice(0, -3)}y`;
  else if (rest.length > 4 && rest.endsWith('ly')) rest = rest.slice(0, -2);
  if (rest.length > 6 && rest.endsWith('ness')) rest = rest.slice(0, -4);
  if (rest.length > 6 && rest.endsWith('ment')) rest = rest.slice(0, -4);
  if (rest.length > 7 && rest.endsWith('ization')) return rest.slice(0, -5);
  return rest.length > 5 && /[st]ion$/.test(rest) ? rest.slice(0, -3) : rest;
}

function tidy(word: string): string {
  if (word.length > 3 && word.endsWith('e')) return word.slice(0, -1);
  return word.length > 3 && word.endsWith('i') ? `${word.slice(0, -1)}y` : word;
}
