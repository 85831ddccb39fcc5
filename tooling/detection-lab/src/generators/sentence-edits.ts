import { hashWord, isFunctionWord, OPPOSITES, SYNONYMS, TOPICS } from '@probity/pipeline/internal';
import type { Random } from '@probity/test-support/random';
import { readDataFile } from '../lib/data-file.ts';
import { NUMBER_WORDS } from './number-words.ts';

const lists = readDataFile('claims/sentence-edits');

/** Changes a sentence, or gives it up where it has nothing to change. */
export type SentenceEdit = (
  sentence: string,
  random: Random,
  others: readonly string[],
) => string | undefined;

const WORD = /[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu;
const CAPITAL = /^\p{Lu}\p{L}+$/u;
const SPELLED = NUMBER_WORDS.slice(0, 13);
const MONTHS = lists.list('months');
const DAYS = lists.list('days');
const NAMES = lists.list('names');
const UNITS = lists.list('units');
const AUXILIARY =
  /\b(is|are|was|were|can|could|will|would|should|must|may|has|have|had|does|do|did)\b(?! not\b)/;

interface Piece {
  readonly text: string;
  readonly start: number;
}

function words(sentence: string): Piece[] {
  return [...sentence.matchAll(WORD)].map((match) => ({ text: match[0], start: match.index }));
}

function replaceAt(sentence: string, piece: Piece, by: string): string {
  const first = piece.text[0] as string;
  const cased =
    first !== first.toLowerCase() && by !== '' ? by[0]?.toUpperCase() + by.slice(1) : by;
  return sentence.slice(0, piece.start) + cased + sentence.slice(piece.start + piece.text.length);
}

function pickWord(
  sentence: string,
  random: Random,
  fits: (text: string, at: number) => boolean,
): Piece | undefined {
  const fitting = words(sentence).filter(({ text }, at) => fits(text, at));
  return fitting.length === 0 ? undefined : random.pick(fitting);
}

function isContentWord(text: string): boolean {
  return text.length > 3 && !/\d/.test(text) && !isFunctionWord(hashWord(text.toLowerCase()));
}

type Groups = readonly (readonly string[])[];

const GROUPS = toGroups(SYNONYMS);
const FIELDS = toGroups(TOPICS);
const SIDES = toSides();

function toGroups(table: Groups): Map<string, Groups> {
  const groups = new Map<string, Groups>();
  for (const group of table) {
    for (const word of group) groups.set(word, [...(groups.get(word) ?? []), group]);
  }
  return groups;
}

function toSides(): Map<string, readonly string[]> {
  const sides = new Map<string, readonly string[]>();
  for (const [left = [], right = []] of OPPOSITES) {
    for (const word of left) sides.set(word, right);
    for (const word of right) sides.set(word, left);
  }
  return sides;
}

/** Swaps a word for one of its group. */
function swapIn(groups: ReadonlyMap<string, Groups>): SentenceEdit {
  return (sentence, random) => {
    const piece = pickWord(
      sentence,
      random,
      (text) => groups.has(text.toLowerCase()) && text.length > 2,
    );
    if (piece === undefined) return undefined;
    const word = piece.text.toLowerCase();
    const group = random.pick(groups.get(word) as Groups).filter((other) => other !== word);
    return group.length === 0 ? undefined : replaceAt(sentence, piece, random.pick(group));
  };
}

const numberWords: SentenceEdit = (sentence, random) => {
  const piece = pickWord(
    sentence,
    random,
    (text) => /^([1-9]|1[0-2])$/.test(text) || SPELLED.includes(text.toLowerCase()),
  );
  if (piece === undefined) return undefined;
  const spelled = SPELLED.indexOf(piece.text.toLowerCase());
  return replaceAt(
    sentence,
    piece,
    spelled >= 0 ? String(spelled) : (SPELLED[Number(piece.text)] as string),
  );
};

const contract: SentenceEdit = (sentence) => {
  const short = sentence
    .replace(/\b(is|are|was|were|do|does|did|has|have|had|could|would|should) not\b/g, "$1n't")
    .replace(/\bcannot\b/g, "can't")
    .replace(/\bwill not\b/g, "won't")
    .replace(/\b(it|he|she|that) is\b/gi, "$1's")
    .replace(/\b(we|they|you) are\b/gi, "$1're");
  return short === sentence ? undefined : short;
};

const dropClause: SentenceEdit = (sentence, random) => {
  const parts = sentence.replace(/[.!?]+$/, '').split(/, |; | - | \(|\) /);
  if (parts.length < 2) return undefined;
  const kept = random.next() < 0.6 ? parts.slice(0, -1) : parts.slice(1);
  const text = kept.join(', ');
  return text.split(' ').length < 5 ? undefined : `${text[0]?.toUpperCase()}${text.slice(1)}.`;
};

const dropWords: SentenceEdit = (sentence, random) => {
  const short = sentence.replace(
    /\b(very|also|just|really|quite|often|usually|currently|then|so|however|therefore|please|really|simply|actually|basically|generally)\b,? /g,
    () => (random.next() < 0.8 ? '' : '$&'),
  );
  return short === sentence || short.includes('$&') ? undefined : short;
};

const reorder: SentenceEdit = (sentence) => {
  const match =
    /^(If|When|While|Because|Although|After|Before|Once|To|In|For) ([^,]{8,120}), (.{12,})[.]$/.exec(
      sentence,
    );
  if (match === null) return undefined;
  const [, head = '', clause = '', rest = ''] = match;
  return `${rest[0]?.toUpperCase()}${rest.slice(1)} ${head.toLowerCase()} ${clause}.`;
};

const compress: SentenceEdit = (sentence) => {
  const match =
    /^(.{30,}?)(?:,? (?:which|who|because|although|while|so that|in order to|such as|including)\b| - |; ).{10,}$/.exec(
      sentence,
    );
  return match === null ? undefined : `${match[1]}.`;
};

/** Edits that leave true what was true. */
export const FAITHFUL_EDITS: readonly SentenceEdit[] = [
  swapIn(GROUPS),
  swapIn(GROUPS),
  numberWords,
  contract,
  dropClause,
  dropWords,
  reorder,
  compress,
];

const changeNumber: SentenceEdit = (sentence, random) => {
  const piece = pickWord(
    sentence,
    random,
    (text) => /^\d[\d.,]*$/.test(text) || SPELLED.includes(text.toLowerCase()),
  );
  if (piece === undefined) return undefined;
  const spelled = SPELLED.indexOf(piece.text.toLowerCase());
  if (spelled >= 0)
    return replaceAt(sentence, piece, SPELLED[(spelled + 1 + random.below(10)) % 13] as string);
  const value = Number(piece.text.replaceAll(',', ''));
  if (!Number.isFinite(value)) return undefined;
  const changes = [
    value + 1 + random.below(9),
    Math.max(0, value - 1 - random.below(3)),
    value * 2,
    value * 10,
    value + 10 * (1 + random.below(5)),
  ];
  const changed = random.pick(changes.filter((next) => next !== value));
  return replaceAt(
    sentence,
    piece,
    Number.isInteger(value) ? String(Math.round(changed)) : changed.toFixed(1),
  );
};

const changeDate: SentenceEdit = (sentence, random) => {
  const piece = pickWord(
    sentence,
    random,
    (text) => MONTHS.includes(text) || DAYS.includes(text) || /^(1[6-9]|20)\d\d$/.test(text),
  );
  if (piece === undefined) return undefined;
  const names = MONTHS.includes(piece.text) ? MONTHS : DAYS;
  if (/\d/.test(piece.text))
    return replaceAt(sentence, piece, String(Number(piece.text) + 1 + random.below(30)));
  return replaceAt(sentence, piece, random.pick(names.filter((name) => name !== piece.text)));
};

const changeUnit: SentenceEdit = (sentence, random) => {
  const piece = pickWord(sentence, random, (text) =>
    UNITS.some((unit) => unit === text || unit === `${text}s`),
  );
  if (piece === undefined) return undefined;
  const others = UNITS.filter((unit) => !unit.startsWith(piece.text.slice(0, 4)));
  const unit = random.pick(others);
  return replaceAt(sentence, piece, piece.text.endsWith('s') ? unit : unit.replace(/s$/, ''));
};

/** A name takes the place of another: from the same text, or from elsewhere. */
const changeName: SentenceEdit = (sentence, random, others) => {
  const piece = pickWord(
    sentence,
    random,
    (text, at) => at > 0 && CAPITAL.test(text) && isContentWord(text),
  );
  if (piece === undefined) return undefined;
  const near = others
    .flatMap((other) =>
      words(other)
        .slice(1)
        .map(({ text }) => text),
    )
    .filter((text) => CAPITAL.test(text) && isContentWord(text) && !sentence.includes(text));
  const from = near.length > 0 && random.next() < 0.6 ? near : NAMES;
  return replaceAt(sentence, piece, random.pick(from));
};

const deny: SentenceEdit = (sentence, random) => {
  if (/\bnot\b|n't\b|\bnever\b/.test(sentence) && random.next() < 0.7) {
    const without = sentence
      .replace(/ (?:do|does|did) not\b/, '')
      .replace(/ not\b/, '')
      .replace(/n't\b/, '')
      .replace(/\bnever /, '');
    return without === sentence ? undefined : without;
  }
  const how = random.pick(['not', 'not', 'never', 'no longer']);
  return AUXILIARY.test(sentence) ? sentence.replace(AUXILIARY, `$1 ${how}`) : undefined;
};

const oppose: SentenceEdit = (sentence, random) => {
  const piece = pickWord(sentence, random, (text) => SIDES.has(text.toLowerCase()));
  if (piece === undefined) return undefined;
  return replaceAt(
    sentence,
    piece,
    random.pick(SIDES.get(piece.text.toLowerCase()) as readonly string[]),
  );
};

/** Two words of substance change places. */
const exchange: SentenceEdit = (sentence, random) => {
  const all = words(sentence).filter(({ text }) => isContentWord(text) && !text.endsWith('ly'));
  if (all.length < 4) return undefined;
  const at = random.below(all.length - 2);
  const [a, b] = [all[at] as Piece, all[at + 2 + random.below(all.length - at - 2)] as Piece];
  if (a.text === b.text) return undefined;
  return replaceAt(replaceAt(sentence, b, a.text.toLowerCase()), a, b.text);
};

/** A word of substance takes the place of another one, from the same text or elsewhere. */
const changeWord: SentenceEdit = (sentence, random, others) => {
  let changed = sentence;
  const count = 1 + random.below(2);
  for (let round = 0; round < count; round++) {
    const piece = pickWord(changed, random, isContentWord);
    const from = others
      .flatMap((other) => words(other).map(({ text }) => text))
      .filter((text) => isContentWord(text) && !sentence.includes(text));
    if (piece === undefined || from.length === 0) return undefined;
    changed = replaceAt(changed, piece, random.pick(from).toLowerCase());
  }
  return changed;
};

/** The beginning of one sentence with the end of another. */
const stitch: SentenceEdit = (sentence, random, others) => {
  if (others.length === 0) return undefined;
  const own = sentence.split(' ');
  const other = random.pick(others).split(' ');
  if (own.length < 8 || other.length < 8) return undefined;
  const cut = Math.floor(own.length * (0.3 + 0.4 * random.next()));
  return [...own.slice(0, cut), ...other.slice(Math.floor(other.length * 0.5))].join(' ');
};

const PLACES = lists.list('places');
const TIMES = lists.list('times');
const BECAUSE = lists.list('reasons');

/** Adds what the source does not say: a place, a time, a circumstance. */
const embellish: SentenceEdit = (sentence, random) => {
  const extra = [random.pick(PLACES), random.pick(TIMES), random.pick(BECAUSE)];
  const added = random
    .shuffle(extra)
    .slice(0, 1 + random.below(2))
    .join(' ');
  return /[.]$/.test(sentence) ? sentence.replace(/[.]$/, ` ${added}.`) : undefined;
};

/** Edits that make false, or unfounded, what was true; by the name of the error. */
export const FALSE_EDITS: Readonly<Record<string, SentenceEdit>> = {
  number: changeNumber,
  date: changeDate,
  unit: changeUnit,
  name: changeName,
  denial: deny,
  opposite: oppose,
  exchange,
  field: swapIn(FIELDS),
  word: changeWord,
  stitch,
  embellish,
};
