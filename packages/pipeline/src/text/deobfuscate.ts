import type { TextView } from './text-view.ts';
import { createViewBuilder } from './text-view.ts';

// Letters one by one: at least five single letters, each parted from the next by one same kind of sign.
const SPACED = /(?<![\p{L}\p{N}])\p{L}(?:[ .\-_*|/]\p{L}){4,400}(?![\p{L}\p{N}])/gu;
// Cheap looks at ordinary text, which has neither; a letter may be any word character.
const MAY_BE_SPACED = /[ .\-_*|/][^\s\d][ .\-_*|/][^\s\d][ .\-_*|/]/;
const MAY_BE_LEET = /[a-z][0-9@$!|]|[0-9@$|][a-z]/;
const LEET_WORD = /(?<![\p{L}\p{N}@$!|])[a-z0-9@$!|]{3,24}(?![\p{L}\p{N}@$|])/gu;
const HAS_LEET = /[a-z][0-9@$!|]+[a-z]|^[0-9@$|]{1,3}[a-z]{2}|[a-z]{2}[0-9@$]{1,3}$/;
const ENDS_PLAIN = /^[a-z]+!+$/;
const LEET: ReadonlyMap<string, string> = new Map([
  ['0', 'o'],
  ['1', 'i'],
  ['3', 'e'],
  ['4', 'a'],
  ['5', 's'],
  ['7', 't'],
  ['8', 'b'],
  ['9', 'g'],
  ['@', 'a'],
  ['$', 's'],
  ['!', 'i'],
  ['|', 'i'],
]);

/**
 * The folded text with letter-spaced words joined and leetspeak words spelled out, or undefined
 * where there is nothing of the kind.
 */
export function deobfuscateView(folded: TextView): TextView | undefined {
  const joined = joinSpacedLetters(folded);
  const spelled = spellLeet(joined);
  return spelled === folded ? undefined : spelled;
}

function joinSpacedLetters(view: TextView): TextView {
  if (!MAY_BE_SPACED.test(view.text)) return view;
  const builder = createViewBuilder(view);
  for (const match of view.text.matchAll(SPACED)) {
    const letters = match[0].replace(/[ .\-_*|/]/g, '');
    builder.replace(match.index, match.index + match[0].length, letters);
  }
  return builder.finish();
}

function spellLeet(view: TextView): TextView {
  if (!MAY_BE_LEET.test(view.text)) return view;
  const builder = createViewBuilder(view);
  for (const match of view.text.matchAll(LEET_WORD)) {
    const word = match[0];
    if (!HAS_LEET.test(word) || ENDS_PLAIN.test(word)) continue;
    const plain = [...word].map((char) => LEET.get(char) ?? char).join('');
    builder.replace(match.index, match.index + word.length, plain);
  }
  return builder.finish();
}
