import { checkRecord } from '../config.ts';
import { forEachBlock } from '../for-each-block.ts';
import { scanWords } from '../language/scan-words.ts';
import { scannedWords } from '../language/scanned-words.ts';
import { checkStrings } from '../stage-options.ts';
import type { DecodedText, TextBlock } from '../text/prepared-text.ts';
import type { PreparedField, Stage, StageContext, StageFinding } from '../types.ts';
import { createCanaryFinder, type FindCanary } from './canaries.ts';
import { findHiddenText } from './hidden-text.ts';
import { type ProtectedMatch, ProtectedMatcher } from './matcher.ts';
import { createProtectedIndex, type ProtectedIndex } from './protected-index.ts';
import { isVerbatim, scoreOf } from './score.ts';
import { giveBackWordBuffer, takeWordBuffer, type WordBuffer } from './word-buffer.ts';

/** What the stage `contamination_check` reports. */
export type ContaminationType = 'verbatim' | 'near_verbatim' | 'canary' | 'hidden_text' | 'encoded';

interface Guard {
  readonly index: ProtectedIndex;
  readonly findCanary: FindCanary;
}

const BEYOND_ASCII = /[\u0080-\uffff]/;
const MIN_SCORE = 0.2;
const CANARY_SCORE = 0.98;
const HIDDEN_SCORE = 0.8;

/**
 * Makes the stage `contamination_check`: protected text in the response, word for word or nearly so,
 * in the open or encoded; canary tokens; rows of invisible characters that carry a text. Its score is
 * the largest of its findings, 0 without any. The index over the protected texts is made here, once.
 *
 * Options: `protected`, a list of texts; `canaries`, a list of tokens that must never appear.
 *
 * @throws PipelineConfigError naming the option at fault
 */
export function createContaminationStage(
  options: Readonly<Record<string, unknown>>,
  path: string,
): Stage {
  checkRecord(path, options, new Set(['protected', 'canaries']));
  const texts = checkStrings(`${path}.protected`, options.protected ?? []);
  const canaries = checkStrings(`${path}.canaries`, options.canaries ?? []);
  const guard: Guard = {
    index: createProtectedIndex(texts),
    findCanary: createCanaryFinder(canaries, texts),
  };
  return Object.freeze({
    name: 'contamination_check',
    targets: ['response'],
    run: (context: StageContext) => scanFields(context, guard),
  } satisfies Stage);
}

function scanFields(context: StageContext, guard: Guard): Promise<void> | undefined {
  let largest = 0;
  context.setScore(largest);
  const report = (finding: StageFinding): void => {
    context.report(finding);
    largest = Math.max(largest, finding.score);
    context.setScore(largest);
  };
  // One field comes after the other.
  let reading: Reading | undefined;
  return forEachBlock(context, function* visit(block, field) {
    reading ??= new Reading(guard, field, undefined, report);
    addWords(reading.words, block);
    reading.advance();
    yield;
    // What shows nothing does not outlast normalising.
    if (block.normalized !== block.source) reportHidden(block, field, report);
    if (block.decoded.length > 0) {
      for (const text of allDecoded(block.decoded)) {
        readDecoded(guard, text, block, field, report);
        yield;
      }
    }
    if (block !== field.blocks.at(-1)) return;
    reading.finish();
    reading = undefined;
  });
}

/** One text, or a text decoded from it, on its way along the protected texts. */
class Reading {
  readonly words = takeWordBuffer();
  readonly #guard: Guard;
  readonly #field: PreparedField;
  readonly #decoded: DecodedText | undefined;
  readonly #report: (finding: StageFinding) => void;
  readonly #matcher: ProtectedMatcher;
  #seen = 0;

  constructor(
    guard: Guard,
    field: PreparedField,
    decoded: DecodedText | undefined,
    report: (finding: StageFinding) => void,
  ) {
    this.#guard = guard;
    this.#field = field;
    this.#decoded = decoded;
    this.#report = report;
    this.#matcher = new ProtectedMatcher(guard.index, this.words, (match) => this.#weigh(match));
  }

  advance(): void {
    this.#matcher.advance(this.words.count);
    // A token may be cut in two by the end of a block.
    this.#lookForCanaries(this.words.count - 64);
  }

  finish(): void {
    this.#matcher.finish();
    this.#lookForCanaries(this.words.count);
    giveBackWordBuffer(this.words);
  }

  #weigh(match: ProtectedMatch): void {
    const score = scoreOf(match);
    if (score < MIN_SCORE) return;
    this.#found(typeOf(match, this.#decoded), score, match.start, match.end);
  }

  #lookForCanaries(until: number): void {
    for (; this.#seen < until; this.#seen++) {
      const canary = this.#guard.findCanary(this.words, this.#seen);
      if (canary !== undefined) this.#found('canary', CANARY_SCORE, canary.start, canary.end);
    }
  }

  #found(type: ContaminationType, score: number, first: number, behind: number): void {
    const { words } = this;
    const start = words.start[first] as number;
    const last = words.end[behind - 1] as number;
    const end = this.#decoded === undefined ? last : maxEnd(words, first, behind);
    this.#report({ type, score, start, end, reason: reasonOf(type), ...placeOf(this.#field) });
  }
}

function typeOf(match: ProtectedMatch, decoded: DecodedText | undefined): ContaminationType {
  if (decoded !== undefined) return decoded.encoding === 'tags' ? 'hidden_text' : 'encoded';
  return isVerbatim(match) ? 'verbatim' : 'near_verbatim';
}

function reasonOf(type: ContaminationType): string {
  switch (type) {
    case 'verbatim':
      return 'runs word for word along a protected text';
    case 'near_verbatim':
      return 'follows a protected text with few changes';
    case 'canary':
      return 'has a canary token';
    case 'hidden_text':
      return 'has a text in characters that show nothing';
    case 'encoded':
      return 'has a protected text in an encoding';
  }
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
  const { count, hash, start, end } = scannedWords(view.text);
  const { shift } = view;
  const { ownedStart, ownedEnd } = block;
  for (let at = 0; at < count; at++) {
    const [first, last] = [start[at] as number, end[at] as number];
    const place = shift === undefined ? view.range(first, last) : undefined;
    const from = place === undefined ? first + (shift as number) : place.start;
    if (from < ownedStart || from >= ownedEnd) continue;
    words.push(
      hash[at] as number,
      from,
      place === undefined ? last + (shift as number) : place.end,
    );
  }
}

function* allDecoded(texts: readonly DecodedText[]): Generator<DecodedText> {
  for (const text of texts) {
    yield text;
    yield* allDecoded(text.decoded);
  }
}

function readDecoded(
  guard: Guard,
  text: DecodedText,
  block: TextBlock,
  field: PreparedField,
  report: (finding: StageFinding) => void,
): void {
  const reading = new Reading(guard, field, text, (finding) => {
    if (finding.start >= block.ownedEnd || finding.end <= block.ownedStart) return;
    report(finding);
  });
  const view = text.folded;
  scanWords(view.text, (hash, start, end) => {
    const place = view.range(start, end);
    reading.words.push(hash, place.start, place.end);
  });
  reading.finish();
}

function maxEnd(words: WordBuffer, start: number, end: number): number {
  let largest = words.end[start] as number;
  for (let at = start; at < end; at++) largest = Math.max(largest, words.end[at] as number);
  return largest;
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
    report({ type, score: HIDDEN_SCORE, ...place, reason: reasonOf(type), ...placeOf(field) });
  }
}
