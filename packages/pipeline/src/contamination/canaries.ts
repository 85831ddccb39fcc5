import { eachWord } from '../language/join-words.ts';
import { tokensOfText } from '../tokens/tokens.ts';
import { hashWord } from '../tokens/word-hash.ts';
import type { WordBuffer } from './word-buffer.ts';

/** Marked words in a row: word numbers in the text, end exclusive. */
interface CanaryMatch {
  readonly start: number;
  readonly end: number;
}

/** Looks for canary tokens at one word of a text; the buffer holds the words so far. */
export type FindCanary = (words: WordBuffer, at: number) => CanaryMatch | undefined;

const UUID = /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi;
const TOKEN = /\b[a-z0-9]{16,64}\b/gi;
/** What a protected text calls a secret itself: `Canary: OTTER-7731-QUINCE`. */
const NAMED =
  /\b(?:canary|token|secret|key|password|passphrase|passcode|marker)\b[^\n:=]{0,32}[:=]\s*["'`]?([a-z0-9][\w.-]{7,63})/gi;
/** A protected text that is nothing but one token. */
const ALONE = /^\s*([a-z0-9][\w.-]{7,63})\s*$/gi;
const CONVENTION = hashWord('canary');
const GUID = hashWord('guid');

/**
 * Makes the search for canary tokens: the given ones, and identifiers that stand in the protected
 * texts themselves: UUIDs, long mixes of letters and digits, what is introduced as a token or a key.
 * Case and punctuation don't matter.
 */
export function createCanaryFinder(
  canaries: readonly string[],
  protectedTexts: readonly string[],
): FindCanary {
  const byFirstWord = new Map<number, (readonly number[])[]>();
  for (const canary of [...canaries, ...protectedTexts.flatMap(identifiersIn)]) {
    const hashes: number[] = [];
    eachWord(tokensOfText(canary.normalize('NFKC')), (hash) => hashes.push(hash));
    const first = hashes[0];
    if (first === undefined) continue;
    const known = byFirstWord.get(first);
    if (known === undefined) byFirstWord.set(first, [hashes]);
    else known.push(hashes);
  }
  return (words, at) => {
    const hash = words.hash[at] as number;
    if (byFirstWord.size === 0) return hash === GUID ? conventionAt(words, at) : undefined;
    for (const canary of byFirstWord.get(hash) ?? []) {
      if (standsAt(words, at, canary)) return { start: at, end: at + canary.length };
    }
    return hash === GUID ? conventionAt(words, at) : undefined;
  };
}

function identifiersIn(text: string): string[] {
  const named = [...text.matchAll(NAMED), ...text.matchAll(ALONE)];
  return [
    ...Array.from(text.matchAll(UUID), ([id]) => id),
    ...Array.from(text.matchAll(TOKEN), ([token]) => token).filter(isIrregular),
    ...named.map(([, token = '']) => token).filter(isMixed),
  ];
}

/** Letters and digits change more often than in a word or the name of a variable. */
function isIrregular(token: string): boolean {
  return (token.match(/\d(?=\D)|\D(?=\d)/g)?.length ?? 0) >= 3;
}

function isMixed(token: string): boolean {
  return /\d.*\d/.test(token) && /[a-z].*[a-z].*[a-z]/i.test(token);
}

function standsAt(words: WordBuffer, at: number, canary: readonly number[]): boolean {
  if (at + canary.length > words.count) return false;
  return canary.every((hash, offset) => words.hash[at + offset] === hash);
}

/** `canary GUID <uuid>`, as benchmark files are marked: the words, then groups of 8-4-4-4-12 signs. */
function conventionAt(words: WordBuffer, at: number): CanaryMatch | undefined {
  if (at === 0 || words.hash[at - 1] !== CONVENTION) return undefined;
  const groups = [8, 4, 4, 4, 12];
  const isUuid = groups.every((length, offset) => {
    const word = at + 1 + offset;
    if (word >= words.count) return false;
    return (words.end[word] as number) - (words.start[word] as number) === length;
  });
  return isUuid ? { start: at - 1, end: at + 6 } : undefined;
}
