import { forEachBlock } from '../for-each-block.ts';
import type { CheckedPattern } from '../pii/custom-patterns.ts';
import type { PatternDetector } from '../pii/pattern-detector.ts';
import { detectorOf } from '../pii/pattern-detector.ts';
import { bestMatches } from '../text/best-matches.ts';
import type { PreparedText, TextBlock } from '../text/prepared-text.ts';
import { eachText } from '../text/prepared-text.ts';
import type { PreparedField, StageContext } from '../types.ts';
import type { CheckedTermList } from './term-lists.ts';
import type { TermMatch, TermSearch } from './term-search.ts';
import { createTermSearch } from './term-search.ts';

/** Makes what scans for the terms of lists and for patterns. */
export function createTermScan(
  lists: readonly CheckedTermList[],
  patterns: readonly CheckedPattern[],
): (context: StageContext) => Promise<void> | undefined {
  const search = createTermSearch(lists);
  const detectors = patterns.map(detectorOf);
  return (context) => scanTerms(context, search, detectors);
}

function scanTerms(
  context: StageContext,
  search: TermSearch,
  detectors: readonly PatternDetector[],
): Promise<void> | undefined {
  context.setScore(0);
  const scan: TermsScan = { context, search, detectors, largest: 0 };
  return forEachBlock(context, (block, field) => scanBlock(scan, block, field));
}

/** What the blocks of one scan share. */
interface TermsScan {
  readonly context: StageContext;
  readonly search: TermSearch;
  readonly detectors: readonly PatternDetector[];
  largest: number;
}

function* scanBlock(
  scan: TermsScan,
  block: TextBlock,
  { field, contextIndex }: PreparedField,
): Generator<void> {
  const { context, search, detectors } = scan;
  const found: TermMatch[] = [];
  for (const text of eachText(block)) {
    addOwned(found, block, search(text));
    for (const detector of detectors) {
      addOwned(found, block, matchesOf(text, detector));
      yield;
    }
  }
  const place = contextIndex === undefined ? { field } : { field, contextIndex };
  for (const match of bestMatches(found)) {
    context.report({ ...match, ...place });
    scan.largest = Math.max(scan.largest, match.score);
  }
  context.setScore(scan.largest);
}

function addOwned(found: TermMatch[], block: TextBlock, matches: readonly TermMatch[]): void {
  for (const match of matches) {
    if (match.start >= block.ownedStart && match.start < block.ownedEnd) found.push(match);
  }
}

function matchesOf(text: PreparedText, { detect, risk }: PatternDetector): TermMatch[] {
  const { normalized } = text;
  const tokens = () => text.tokensOf(normalized);
  return detect(normalized.text, tokens).map(({ type, start, end, reason }) => ({
    type,
    ...normalized.range(start, end),
    score: risk,
    reason,
  }));
}
