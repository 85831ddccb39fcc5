import type { Random } from '@probity/test-support/random';
import { OTHER_WORDS } from './carriers.ts';

/** Changes a text the way somebody might who wants it to get through unseen. */
export type Obfuscation = (text: string, random: Random) => string;

const LOOK_ALIKES: Readonly<Record<string, string>> = {
  a: 'а',
  e: 'е',
  o: 'о',
  p: 'р',
  c: 'с',
  x: 'х',
  y: 'у',
  i: 'і',
};
const LEET: Readonly<Record<string, string>> = { a: '4', e: '3', i: '1', o: '0', s: '5', t: '7' };
const NOTHING = ['\u200b', '\u00ad', '\u2060', '\u200d'];
const WRAPPED = /.{1,76}/g;

/** All obfuscations by name. */
export const OBFUSCATIONS: Readonly<Record<string, Obfuscation>> = {
  verbatim: (text) => text,
  cased: (text, random) => {
    const change = random.pick([toUpper, toLower, toTitle]);
    return change(text);
  },
  punctuated: (text, random) =>
    random.next() < 0.5
      ? text.replace(/[^\p{L}\p{N}\s]/gu, ' ')
      : text.replace(/ /g, () => random.pick([' ', ' ', ', ', ' - ', '; ', '... ', '  '])),
  reflowed: (text, random) => {
    const lead = random.pick(['\n', '\n> ', '\n- ', '\n    ', '\r\n', ' | ']);
    return eachWord(text, (word, at) => (at % 5 === 4 ? `${word}${lead}` : word));
  },
  dropped: (text, random) => {
    const turn = random.below(7);
    return text
      .split(' ')
      .filter((_, at) => at % 7 !== turn)
      .join(' ');
  },
  widened: (text, random) => {
    const turn = random.below(7);
    const put = (word: string) => `${random.pick(['really', 'so', 'well', '(sic)', 'um'])} ${word}`;
    return eachWord(text, (word, at) => (at % 7 === turn ? put(word) : word));
  },
  mistyped: (text, random) => {
    const turn = random.below(6);
    return eachWord(text, (word, at) => (at % 6 === turn ? mistype(word, random) : word));
  },
  swapped: (text, random) => {
    const words = text.split(' ');
    for (let at = random.below(6); at + 1 < words.length; at += 8) {
      [words[at], words[at + 1]] = [words[at + 1] as string, words[at] as string];
    }
    return words.join(' ');
  },
  parted: (text, random) => {
    const words = text.split(' ');
    const middle = words.length >> 1;
    const between = random.pick(['[...]', 'and further down', '(page 2)', '\n\nThen, later:\n\n']);
    return [...words.slice(0, middle), between, ...words.slice(middle)].join(' ');
  },
  synonyms: (text) =>
    text.replace(/[a-z]+/gi, (word) => (Object.hasOwn(OTHER_WORDS, word) ? other(word) : word)),
  homoglyphs: (text, random) =>
    text.replace(/[aeopcxyi]/g, (letter) =>
      random.next() < 0.3 ? (LOOK_ALIKES[letter] as string) : letter,
    ),
  hidden: (text, random) =>
    [...text].map((char) => (random.next() < 0.2 ? char + random.pick(NOTHING) : char)).join(''),
  leet: (text) => text.replace(/[aeiost]/g, (letter) => LEET[letter] as string),
  spaced: (text) => [...text].join(' '),
  markedUp: (text, random) => {
    const mark = random.pick(['**', '_', '`', '<b>']);
    const end = mark === '<b>' ? '</b>' : mark;
    return eachWord(text, (word, at) => (at % 4 === 1 ? `${mark}${word}${end}` : word));
  },
  base64: (text) => toBase64(text),
  base64Lines: (text) => (toBase64(text).match(WRAPPED) ?? []).join('\n'),
  hex: (text, random) => {
    const hex = toHex(text);
    return random.next() < 0.5 ? hex : (hex.match(/../g) ?? []).join(' ');
  },
  percent: (text, random) =>
    random.next() < 0.5 ? encodeURIComponent(text) : toHex(text).replace(/../g, '%$&'),
  entities: (text) =>
    [...text].map((char) => (char === ' ' ? ' ' : `&#${char.codePointAt(0)};`)).join(''),
  rot13: toRot13,
  reversed: toReversed,
  wordsReversed: (text) => text.split(' ').reverse().join(' '),
  nested: (text, random) =>
    random.pick([
      () => toBase64(encodeURIComponent(text)),
      () => toHex(toBase64(text)),
      () => toBase64(toBase64(text)),
      () => toBase64(toRot13(text)),
      () => toBase64(toReversed(text)),
    ])(),
};

function eachWord(text: string, change: (word: string, at: number) => string): string {
  return text.split(' ').map(change).join(' ');
}

function toUpper(text: string): string {
  return text.toUpperCase();
}

function toLower(text: string): string {
  return text.toLowerCase();
}

function toTitle(text: string): string {
  return text.replace(/\p{L}+/gu, (word) => word.charAt(0).toUpperCase() + word.slice(1));
}

function other(word: string): string {
  return OTHER_WORDS[word] as string;
}

/** One letter gone, doubled, wrong, or changed with its neighbour. */
function mistype(word: string, random: Random): string {
  if (word.length < 4) return word;
  const at = 1 + random.below(word.length - 2);
  const [before, letter, after] = [word.slice(0, at), word.charAt(at), word.slice(at + 1)];
  return random.pick([
    `${before}${after}`,
    `${before}${letter}${letter}${after}`,
    `${before}${random.pick(['e', 'r', 'n', 'k'])}${after}`,
    `${before}${after.charAt(0)}${letter}${after.slice(1)}`,
  ]);
}

function toBase64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function toHex(text: string): string {
  return Buffer.from(text).toString('hex');
}

function toRot13(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => {
    const code = letter.charCodeAt(0);
    return String.fromCharCode(code + ((code & 0x1f) <= 13 ? 13 : -13));
  });
}

function toReversed(text: string): string {
  return [...text].reverse().join('');
}
