import { EXPLANATIONS } from '../explanations.ts';
import { forEachBlock } from '../for-each-block.ts';
import { eachWord } from '../language/join-words.ts';
import { scannedWords } from '../language/scanned-words.ts';
import type { UnseenEncoding } from '../text/decode.ts';
import type { DecodedText, PreparedText, TextBlock } from '../text/prepared-text.ts';
import type { PreparedField, StageContext, StageFinding, TextRange } from '../types.ts';
import type { FindCanary } from './canaries.ts';
import { createCanaryFinder } from './canaries.ts';
import type { CipherWord } from './ciphers.ts';
import { readCiphers, readSpelled } from './ciphers.ts';
import type { ContaminationType } from './contamination-stage.ts';
import { findHiddenText } from './hidden-text.ts';
import type { ProtectedMatch } from './matcher.ts';
import { ProtectedMatcher } from './matcher.ts';
import type { ProtectedIndex } from './protected-index.ts';
import { buildProtectedIndex, createProtectedIndex } from './protected-index.ts';
import { isVerbatim, scoreOf } from './score.ts';
import type { WordBuffer } from './word-buffer.ts';
import { giveBackWordBuffer, takeWordBuffer } from './word-buffer.ts';
import { lettersOf } from './word-letters.ts';

/** What texts are held against. */
export interface Guard {
  readonly index: ProtectedIndex;
  readonly findCanary: FindCanary;
}

const BEYOND_ASCII = /[\u0080-\uffff]/;
const MIN_SCORE = 0.2;
const CANARY_SCORE = 0.98;
const HIDDEN_SCORE = 0.8;
/** So many words nearly without grammar may be a cipher. */
const UNMATCHED_RUN = 6;
/** So many words before a block are read again with it, since a row of words may begin there. */
const LEAD = 64;

/** Makes the index over protected texts and the search for canaries. */
export function createGuard(texts: readonly string[], canaries: readonly string[]): Guard {
  return {
    index: createProtectedIndex(texts),
    findCanary: createCanaryFinder(canaries, texts),
  };
}

/** The same, giving up the event loop between steps. */
export async function prepareGuard(
  texts: readonly string[],
  canaries: readonly string[],
): Promise<Guard> {
  const steps = buildProtectedIndex(texts);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return { index: value, findCanary: createCanaryFinder(canaries, texts) };
    await new Promise(setImmediate);
  }
}

/** Reports what of the protected texts and canaries stands in the fields; at least one guard. */
export function scanFields(
  context: StageContext,
  guards: readonly Guard[],
): Promise<void> | undefined {
  let largest = 0;
  context.setScore(largest);
  const report = (finding: StageFinding): void => {
    context.report(finding);
    largest = Math.max(largest, finding.score);
    context.setScore(largest);
  };
  const [first, ...others] = guards.map(
    (guard, at): ContaminationScan => ({ guard, report, reading: undefined, isFirst: at === 0 }),
  ) as [ContaminationScan, ...ContaminationScan[]];
  if (others.length === 0) {
    return forEachBlock(context, (block, field) => scanBlock(first, block, field));
  }
  return forEachBlock(context, function* scanEach(block, field) {
    for (const scan of [first, ...others]) yield* scanBlock(scan, block, field);
  });
}

/** What the blocks of one scan share. */
interface ContaminationScan {
  readonly guard: Guard;
  readonly report: (finding: StageFinding) => void;
  /** The field at hand: one field comes after the other. */
  reading: Reading | undefined;
  /** Hidden text is the same whatever is protected, and reported once. */
  readonly isFirst: boolean;
}

function* scanBlock(
  scan: ContaminationScan,
  block: TextBlock,
  field: PreparedField,
): Generator<unknown> {
  const { guard, report } = scan;
  scan.reading ??= new Reading(guard, field, undefined, report);
  const { reading } = scan;
  const first = reading.words.count;
  addWords(reading.words, block);
  reading.advance();
  yield;
  // What shows nothing does not outlast normalizing.
  if (scan.isFirst && block.normalized !== block.source) reportHidden(block, field, report);
  if (block.decoded.length > 0) {
    for (const text of allDecoded(block.decoded)) {
      yield* readDecoded(guard, text, block, field, report);
      yield;
    }
  }
  if (reading.mayBeCipher()) {
    const texts = decipher(guard, block, reading.words, Math.max(0, first - LEAD));
    if (texts.length > 0) {
      yield* readDeciphered(guard, texts, 'cipher', block, field, report);
    }
  }
  if (block !== field.blocks.at(-1)) return;
  reading.finish();
  reading.giveBack();
  scan.reading = undefined;
}

/** How words that do not stand in the open were found. */
type Obfuscation = DecodedText['encoding'] | 'cipher';

const UNSEEN: ReadonlySet<Obfuscation> = new Set<UnseenEncoding>(['tags', 'selectors', 'bits']);

/** One text, or a text decoded from it, on its way along the protected texts. */
class Reading {
  readonly words = takeWordBuffer();
  readonly #guard: Guard;
  readonly #field: PreparedField;
  readonly #obfuscation: Obfuscation | undefined;
  readonly #report: (finding: StageFinding) => void;
  readonly #matcher: ProtectedMatcher;
  #seen = 0;

  constructor(
    guard: Guard,
    field: PreparedField,
    obfuscation: Obfuscation | undefined,
    report: (finding: StageFinding) => void,
  ) {
    this.#guard = guard;
    this.#field = field;
    this.#obfuscation = obfuscation;
    this.#report = report;
    const { words } = this;
    // Of a text that was decoded, the original has other letters.
    const lettersAt = (at: number) =>
      lettersOf(field.text, words.start[at] as number, words.end[at] as number);
    this.#matcher = new ProtectedMatcher(
      guard.index,
      words,
      (match) => this.#weigh(match),
      obfuscation === undefined ? lettersAt : undefined,
    );
  }

  /** Whether what was read since the last time may be in a cipher, if there is anything to protect. */
  mayBeCipher(): boolean {
    return (
      this.#matcher.takeLongestUnmatched() >= UNMATCHED_RUN && this.#guard.index.words.length > 0
    );
  }

  advance(): void {
    this.#matcher.advance(this.words.count);
    // A token may be cut in two by the end of a block.
    this.#lookForCanaries(this.words.count - 64);
  }

  finish(): void {
    this.#matcher.finish();
    this.#lookForCanaries(this.words.count);
  }

  giveBack(): void {
    giveBackWordBuffer(this.words);
  }

  #weigh(match: ProtectedMatch): void {
    const score = scoreOf(match);
    if (score < MIN_SCORE) return;
    this.#found(typeOf(match, this.#obfuscation), score, match.start, match.end);
  }

  #lookForCanaries(until: number): void {
    for (; this.#seen < until; this.#seen++) {
      const canary = this.#guard.findCanary(this.words, this.#seen);
      if (canary !== undefined) this.#found('canary', CANARY_SCORE, canary.start, canary.end);
    }
  }

  #found(type: ContaminationType, score: number, first: number, behind: number): void {
    const { words } = this;
    const place =
      this.#obfuscation === undefined
        ? { start: words.start[first] as number, end: words.end[behind - 1] as number }
        : spanOf(words, first, behind);
    this.#report({ type, score, ...place, reason: EXPLANATIONS[type], ...placeOf(this.#field) });
  }
}

function typeOf(match: ProtectedMatch, obfuscation: Obfuscation | undefined): ContaminationType {
  if (obfuscation !== undefined) return UNSEEN.has(obfuscation) ? 'hidden_text' : 'encoded';
  return isVerbatim(match) ? 'verbatim' : 'near_verbatim';
}

function placeOf({ field, contextIndex }: PreparedField) {
  return contextIndex === undefined ? { field } : { field, contextIndex };
}

/**
 * Adds the words that begin in a block's own part, with their places in the original. Words are the
 * same in any case, so that ASCII need not be folded: other stages have read its words by then.
 */
function addWords(words: WordBuffer, block: TextBlock): void {
  const { text } = block.normalized;
  const view = BEYOND_ASCII.test(text) ? block.folded : block.normalized;
  const { count, hash, start, end } = scannedWords(block.tokensOf(view));
  const { shift } = view;
  const { ownedStart, ownedEnd } = block;
  if (shift === undefined) {
    for (let at = 0; at < count; at++) {
      const place = view.range(start[at] as number, end[at] as number);
      if (place.start < ownedStart || place.start >= ownedEnd) continue;
      words.push(hash[at] as number, place.start, place.end);
    }
    return;
  }
  for (let at = 0; at < count; at++) {
    const from = (start[at] as number) + shift;
    if (from < ownedStart || from >= ownedEnd) continue;
    words.push(hash[at] as number, from, (end[at] as number) + shift);
  }
}

function* allDecoded(texts: readonly DecodedText[]): Generator<DecodedText> {
  for (const text of texts) {
    yield text;
    yield* allDecoded(text.decoded);
  }
}

function* readDecoded(
  guard: Guard,
  text: DecodedText,
  block: TextBlock,
  field: PreparedField,
  report: (finding: StageFinding) => void,
): Generator<undefined> {
  const { encoding, folded: view } = text;
  const reading = new Reading(guard, field, encoding, onlyOf(block, report));
  eachWord(text.tokensOf(view), (hash, start, end) => {
    const place = view.range(start, end);
    reading.words.push(hash, place.start, place.end);
  });
  reading.finish();
  if (reading.mayBeCipher()) {
    const deciphered = decipher(guard, text, reading.words, 0);
    yield* readDeciphered(guard, deciphered, encoding, block, field, report);
  }
  reading.giveBack();
}

/** All that the words of a text from number `from` on may be in a cipher. */
function decipher(
  guard: Guard,
  text: PreparedText,
  words: WordBuffer,
  from: number,
): (readonly CipherWord[])[] {
  const found = readCiphers(guard.index, words, from);
  const spelled = readSpelled(text, words, from);
  return spelled === undefined ? found : [...found, spelled];
}

function* readDeciphered(
  guard: Guard,
  texts: readonly (readonly CipherWord[])[],
  obfuscation: Obfuscation,
  block: TextBlock,
  field: PreparedField,
  report: (finding: StageFinding) => void,
): Generator<undefined> {
  for (const words of texts) {
    yield;
    const reading = new Reading(guard, field, obfuscation, onlyOf(block, report));
    for (const { hash, start, end } of words) reading.words.push(hash, start, end);
    reading.finish();
    reading.giveBack();
  }
}

/** Hands on what lies in a block's own part, wholly or with one end. */
function onlyOf(
  { ownedStart, ownedEnd }: TextBlock,
  report: (finding: StageFinding) => void,
): (finding: StageFinding) => void {
  return (finding) => {
    if (finding.start < ownedEnd && finding.end > ownedStart) report(finding);
  };
}

/** Words that were decoded may stand at one place, or in the opposite order. */
function spanOf(words: WordBuffer, first: number, behind: number): TextRange {
  let start = words.start[first] as number;
  let end = words.end[first] as number;
  for (let at = first + 1; at < behind; at++) {
    start = Math.min(start, words.start[at] as number);
    end = Math.max(end, words.end[at] as number);
  }
  return { start, end };
}

function reportHidden(
  block: TextBlock,
  field: PreparedField,
  report: (finding: StageFinding) => void,
): void {
  for (const { start, end } of findHiddenText(block.source.text)) {
    const place = block.source.range(start, end);
    if (place.start < block.ownedStart || place.start >= block.ownedEnd) continue;
    const type = 'hidden_text';
    report({ type, score: HIDDEN_SCORE, ...place, reason: EXPLANATIONS[type], ...placeOf(field) });
  }
}
