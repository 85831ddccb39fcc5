import { forEachBlock, isWorthCheckpoints } from '../for-each-block.ts';
import type { RiskTally } from '../risk.ts';
import { createRiskTally } from '../risk.ts';
import { overwritten } from '../text/changes.ts';
import type { PreparedText, TextBlock } from '../text/prepared-text.ts';
import { eachText } from '../text/prepared-text.ts';
import { spliceTokens } from '../tokens/splice.ts';
import type { PreparedField, StageContext } from '../types.ts';
import type { Candidate, PiiDetector } from './candidate.ts';
import { MIN_SCORE, resolveOverlaps } from './candidate.ts';
import { createCueReader } from './cues.ts';
import type { ExceptionTest } from './exceptions.ts';
import type { PiiTypeDefinition } from './pii-type.ts';

const DIGITS = /\d/;

/** A type to look for, with what makes its detector for one scan. */
export interface LoadedType {
  readonly definition: Pick<PiiTypeDefinition, 'hasDigit' | 'isReadAgain'>;
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
  const take = (candidate: Candidate): void => {
    const { type, start, end, score, reason } = candidate;
    if (score < MIN_SCORE) return;
    seen.push(candidate);
    const place = range(start, end);
    if (place.start < block.ownedStart || place.start >= block.ownedEnd) return;
    if (isExempt(text.slice(start, end))) return;
    found.push({ type, start: place.start, end: place.end, score, reason });
  };
  const cues = createCueReader(text, () => prepared.tokensOf(normalized));
  for (const { definition, detect } of searches) {
    if (!digits && definition.hasDigit) continue;
    for (const candidate of detect(text, cues)) take(candidate);
    if (isWorthCheckpoints(text)) yield;
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
