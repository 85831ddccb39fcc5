import type { ChangedText, ChangeList } from './changes.ts';
import { createChangeList } from './changes.ts';
import { allMatches } from './matches.ts';
import type { TextView } from './text-view.ts';
import { createViewBuilder } from './text-view.ts';

// Letters one by one: at least five single letters, each parted from the next by one same kind of sign.
const SPACED = /(?=.[ .\-_*|/])(?<![\p{L}\p{N}])\p{L}(?:[ .\-_*|/]\p{L}){4,400}(?![\p{L}\p{N}])/gu;
// Cheap looks at ordinary text, which has neither; a letter may be any word character.
const MAY_BE_SPACED = /[ .\-_*|/][^\s\d][ .\-_*|/][^\s\d][ .\-_*|/]/;
// Every word that has leet has one of these pairs.
const LEET_PAIR = /[a-z][0-9@$!|]|[0-9@$|][a-z]/g;
const PAIR = 2;
const LEET_WORD = /(?=[a-z0-9@$!|]{3})(?<![\p{L}\p{N}@$!|])[a-z0-9@$!|]{3,24}(?![\p{L}\p{N}@$|])/gu;
const HAS_LEET = /[a-z][0-9@$!|]+[a-z]|^[0-9@$|]{1,3}[a-z]{2}|[a-z]{2}[0-9@$]{1,3}$/;
const ENDS_PLAIN = /^[a-z]+!+$/;
const STRETCHED = /(\p{L})\1{3,}/gu;
const OTHER_BEFORE = /\p{L}$/u;
const OTHER_AFTER = /^\p{L}/u;
const MAY_BE_STRETCHED = /([^\s\d])\1{3}/;
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

/** A deobfuscated text, and how it came about: each step made its text of the one before, the first of the folded text. */
export interface Deobfuscated {
  readonly view: TextView;
  readonly steps: readonly ChangedText[];
}

/**
 * The folded text with letter-spaced words joined, leetspeak words spelled out and stretched letters
 * written once, or undefined where there is nothing of the kind.
 */
export function deobfuscate(folded: TextView): Deobfuscated | undefined {
  const steps: ChangedText[] = [];
  const joined = joinSpacedLetters(folded, steps);
  const spelled = spellLeet(joined, steps);
  const shortened = shortenLetters(spelled, steps);
  return shortened === folded ? undefined : { view: shortened, steps };
}

function shortenLetters(view: TextView, steps: ChangedText[]): TextView {
  if (!MAY_BE_STRETCHED.test(view.text)) return view;
  const changes = createChangeList();
  const builder = createViewBuilder(view, changes);
  for (const { 0: run, 1: letter = '', index } of allMatches(view.text, STRETCHED)) {
    const end = index + run.length;
    // A word of this letter alone is a placeholder, and stays one.
    if (
      OTHER_BEFORE.test(view.text.slice(Math.max(0, index - 2), index)) ||
      OTHER_AFTER.test(view.text.slice(end, end + 2))
    )
      builder.replace(index, end, letter);
  }
  return finishStep(view, builder.finish(), changes, steps);
}

function joinSpacedLetters(view: TextView, steps: ChangedText[]): TextView {
  if (!MAY_BE_SPACED.test(view.text)) return view;
  const changes = createChangeList();
  const builder = createViewBuilder(view, changes);
  SPACED.lastIndex = 0;
  for (let match = SPACED.exec(view.text); match !== null; match = SPACED.exec(view.text)) {
    const letters = match[0].replace(/[ .\-_*|/]/g, '');
    builder.replace(match.index, match.index + match[0].length, letters);
  }
  return finishStep(view, builder.finish(), changes, steps);
}

function finishStep(
  before: TextView,
  made: TextView,
  changes: ChangeList,
  steps: ChangedText[],
): TextView {
  if (made !== before) steps.push({ text: made.text, changes: changes.finish() });
  return made;
}

function spellLeet(view: TextView, steps: ChangedText[]): TextView {
  const { text } = view;
  LEET_PAIR.lastIndex = 0;
  if (!LEET_PAIR.test(text)) return view;
  const changes = createChangeList();
  const builder = createViewBuilder(view, changes);
  // Only words around such a pair are looked at; one begins where a run of such signs does.
  for (let from = 0; LEET_PAIR.lastIndex > 0; LEET_PAIR.test(text)) {
    LEET_WORD.lastIndex = runStart(text, LEET_PAIR.lastIndex - PAIR, from);
    const match = LEET_WORD.exec(text);
    if (match === null) break;
    const word = match[0];
    from = match.index + word.length;
    LEET_PAIR.lastIndex = from;
    if (!HAS_LEET.test(word) || ENDS_PLAIN.test(word)) continue;
    const plain = [...word].map((char) => LEET.get(char) ?? char).join('');
    builder.replace(match.index, from, plain);
  }
  return finishStep(view, builder.finish(), changes, steps);
}

/** Where the run of letters, digits and leet signs begins that `at` is in, but not before `least`. */
function runStart(text: string, at: number, least: number): number {
  let start = at;
  while (start > least && isLeetSign(text.charCodeAt(start - 1))) start--;
  return start;
}

function isLeetSign(code: number): boolean {
  if ((code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39)) return true;
  return code === 0x40 || code === 0x24 || code === 0x21 || code === 0x7c;
}
