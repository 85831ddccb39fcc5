import { checkRecord } from '../config.ts';
import { forEachBlock } from '../for-each-block.ts';
import { scanWords } from '../language/scan-words.ts';
import { checkStrings } from '../stage-options.ts';
import type { DecodedText, TextBlock } from '../text/prepared-text.ts';
import type { TextView } from '../text/text-view.ts';
import type { PreparedField, Stage, StageContext, StageFinding } from '../types.ts';
import { createCanaryFinder, type FindCanary } from './canaries.ts';
import { findHiddenText } from './hidden-text.ts';
import { createProtectedMatcher, type ProtectedMatch } from './matcher.ts';
import { createProtectedIndex, type ProtectedIndex } from './protected-index.ts';
import { isVerbatim, scoreOf } from './score.ts';
import { giveBackWordBuffer, takeWordBuffer, type WordBuffer } from './word-buffer.ts';

/** What the stage `contamination_check` reports. */
export type ContaminationType = 'verbatim' | 'near_verbatim' | 'canary' | 'hidden_text' | 'encoded';

interface Guard {
  readonly index: ProtectedIndex;
  readonly findCanary: FindCanary;
}

/** One text, or a text decoded from it, on its way along the protected texts. */
interface Reading {
  readonly words: WordBuffer;
  advance(): void;
  finish(): void;
}

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
  const readings = new Map<PreparedField, Reading>();
  return forEachBlock(context, function* visit(block, field) {
    const reading = readings.get(field) ?? createReading(guard, field, undefined, report);
    readings.set(field, reading);
    addWords(reading.words, block.folded, block);
    reading.advance();
    yield;
    reportHidden(block, field, report);
    for (const text of allDecoded(block.decoded)) {
      readDecoded(guard, text, block, field, report);
      yield;
    }
    if (block === field.blocks.at(-1)) reading.finish();
  });
}

function createReading(
  { index, findCanary }: Guard,
  field: PreparedField,
  decoded: DecodedText | undefined,
  report: (finding: StageFinding) => void,
): Reading {
  const words = takeWordBuffer();
  const place = placeOf(field);
  const found = (type: ContaminationType, score: number, start: number, end: number): void => {
    const from = words.start[start] as number;
    const to = decoded === undefined ? (words.end[end - 1] as number) : maxEnd(words, start, end);
    report({ type, score, start: from, end: to, reason: reasonOf(type), ...place });
  };
  const matcher = createProtectedMatcher(index, words, (match) => {
    const score = scoreOf(match);
    if (score >= MIN_SCORE) found(typeOf(match, decoded), score, match.start, match.end);
  });
  let seen = 0;
  const lookForCanaries = (until: number): void => {
    for (; seen < until; seen++) {
      const canary = findCanary(words, seen);
      if (canary !== undefined) found('canary', CANARY_SCORE, canary.start, canary.end);
    }
  };
  return {
    words,
    advance() {
      matcher.advance(words.count);
      // A token may be cut in two by the end of a block.
      lookForCanaries(words.count - 64);
    },
    finish() {
      matcher.finish();
      lookForCanaries(words.count);
      giveBackWordBuffer(words);
    },
  };
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

/** Adds the words that begin in a block's own part, with their places in the original. */
function addWords(words: WordBuffer, view: TextView, block: TextBlock): void {
  const { shift } = view;
  scanWords(view.text, (hash, start, end) => {
    const place = shift === undefined ? view.range(start, end) : undefined;
    const from = place === undefined ? start + (shift as number) : place.start;
    if (from < block.ownedStart || from >= block.ownedEnd) return;
    words.push(hash, from, place === undefined ? end + (shift as number) : place.end);
  });
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
  const reading = createReading(guard, field, text, (finding) => {
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
