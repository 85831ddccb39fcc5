import { forEachBlock, isWorthCheckpoints } from '../for-each-block.ts';
import type { RiskTally } from '../risk.ts';
import { createRiskTally } from '../risk.ts';
import { overwritten } from '../text/changes.ts';
import type { PreparedText, TextBlock } from '../text/prepared-text.ts';
import { eachText } from '../text/prepared-text.ts';
import { spliceTokens } from '../tokens/splice.ts';
import { lazyTokens } from '../tokens/tokens.ts';
import type { PreparedField, StageContext, TextRange } from '../types.ts';
import type { Candidate, PiiDetector } from './candidate.ts';
import { MIN_SCORE, resolveOverlaps } from './candidate.ts';
import { createCueReader } from './cues.ts';
import type { ExceptionTest } from './exceptions.ts';
import { joinedLines } from './line-breaks.ts';
import type { PiiTypeDefinition } from './pii-type.ts';
import type { PiiType } from './pii-types.ts';
import { isOddInColumn } from './table-cells.ts';

const DIGITS = /\d/;

/** A type to look for, with what makes its detector for one scan. */
export interface LoadedType {
  readonly definition: Pick<
    PiiTypeDefinition,
    'hasDigit' | 'isJudgedByColumn' | 'isReadAgain' | 'wrapped'
  >;
  readonly create: () => PiiDetector;
}

/** A type to look for in one scan. */
interface TypeSearch {
  readonly definition: LoadedType['definition'];
  readonly detect: PiiDetector;
}

/**
 * Reports the given types of personal data that are not exempt.
 *
 * @param risks of all types
 */
export function scanPii(
  context: StageContext,
  types: readonly LoadedType[],
  isExempt: ExceptionTest,
  risks: Readonly<Record<string, number>>,
): Promise<void> | undefined {
  const searches = types.map(({ definition, create }) => ({ definition, detect: create() }));
  const tally = createRiskTally(risks);
  context.setScore(tally.risk());
  const scan: PiiScan = { context, searches, isExempt, tally };
  return forEachBlock(context, (block, field) => scanBlock(scan, block, field));
}

/** What the blocks of one scan share. */
interface PiiScan {
  readonly context: StageContext;
  readonly searches: readonly TypeSearch[];
  readonly isExempt: ExceptionTest;
  readonly tally: RiskTally;
}

function* scanBlock(
  { context, searches, isExempt, tally }: PiiScan,
  block: TextBlock,
  { field, contextIndex }: PreparedField,
): Generator<void> {
  const found: Candidate[] = [];
  for (const text of eachText(block)) yield* collect(text, block, searches, isExempt, found);
  const place = contextIndex === undefined ? { field } : { field, contextIndex };
  for (const { type, start, end, score, reason } of resolveOverlaps(found)) {
    context.report({ type, start, end, score, reason, ...place });
    tally.add({ type, score });
  }
  context.setScore(tally.risk());
}

/** The personal data that begins in a block's own part, offsets in the original field. */
function* collect(
  prepared: PreparedText,
  block: TextBlock,
  searches: readonly TypeSearch[],
  isExempt: ExceptionTest,
  found: Candidate[],
): Generator<void> {
  const { normalized } = prepared;
  const { text, range } = normalized;
  const digits = DIGITS.test(text);
  const seen: Candidate[] = [];
  const take = (
    candidate: Candidate,
    value: string = text.slice(candidate.start, candidate.end),
  ): void => {
    const { type, start, end, score, reason } = candidate;
    if (score < MIN_SCORE) return;
    seen.push(candidate);
    const place = range(start, end);
    if (place.start < block.ownedStart || place.start >= block.ownedEnd) return;
    if (isExempt(value)) return;
    found.push({ type, start: place.start, end: place.end, score, reason });
  };
  const cues = createCueReader(text, () => prepared.tokensOf(normalized));
  for (const { definition, detect } of searches) {
    if (!digits && definition.hasDigit) continue;
    const candidates = detect(text, cues);
    for (const candidate of candidates) {
      const isOdd =
        definition.isJudgedByColumn === true && isOddInColumn(text, candidate, candidates);
      if (!isOdd || cues.isLabeled(candidate.type as PiiType, candidate.start)) take(candidate);
    }
    if (isWorthCheckpoints(text)) yield;
  }
  for (const { candidate, value } of wrappedIn(text, searches)) {
    // A part of it that looks like a value as well is not surer than the whole.
    const parts = seen.filter((each) => each.type === candidate.type && overlaps(each, candidate));
    const score = Math.max(candidate.score, ...parts.map((part) => part.score));
    take({ ...candidate, score }, value);
  }
  if (!digits || seen.length === 0) return;
  // Beside another number a telephone number may have been taken for a part of it.
  for (const { definition, detect } of searches) {
    if (!definition.isReadAgain) continue;
    // Line ends, so that no word is one about what stands behind.
    const rest = overwritten(text, resolveOverlaps(seen), '\n');
    const tokens = () => spliceTokens(prepared.tokensOf(normalized), rest);
    for (const candidate of detect(rest.text, createCueReader(rest.text, tokens))) take(candidate);
  }
}

/** Values over line breaks, as in text of PDFs and in wrapped mails, with their text without the break. */
function* wrappedIn(text: string, searches: readonly TypeSearch[]) {
  for (const lines of joinedLines(text)) {
    const cues = createCueReader(lines.text, lazyTokens(lines.text));
    for (const { definition, detect } of searches) {
      if (definition.wrapped === undefined) continue;
      for (const found of detect(lines.text, cues)) {
        const value = lines.text.slice(found.start, found.end);
        const place = definition.wrapped.test(value) ? lines.placeOf(found) : undefined;
        if (place !== undefined) yield { candidate: { ...found, ...place }, value };
      }
    }
  }
}

function overlaps(one: TextRange, other: TextRange): boolean {
  return one.start < other.end && other.start < one.end;
}
