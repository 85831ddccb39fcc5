import { forEachBlock } from '../for-each-block.ts';
import type { CheckedPattern } from '../pii/custom-patterns.ts';
import type { PatternDetector } from '../pii/pattern-detector.ts';
import { detectorOf } from '../pii/pattern-detector.ts';
import { bestMatches } from '../text/best-matches.ts';
import type { PreparedText, TextBlock } from '../text/prepared-text.ts';
import { eachText } from '../text/prepared-text.ts';
import type { StageContext } from '../types.ts';
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
  let largest = 0;
  context.setScore(0);
  return forEachBlock(context, function* visit(block, { field, contextIndex }) {
    const found: TermMatch[] = [];
    for (const text of eachText(block)) {
      found.push(...owned(block, search(text)));
      for (const detector of detectors) {
        found.push(...owned(block, matchesOf(text, detector)));
        yield;
      }
    }
    const place = contextIndex === undefined ? { field } : { field, contextIndex };
    for (const match of bestMatches(found)) {
      context.report({ ...match, ...place });
      largest = Math.max(largest, match.score);
    }
    context.setScore(largest);
  });
}

function owned(block: TextBlock, matches: readonly TermMatch[]): readonly TermMatch[] {
  return matches.filter(({ start }) => start >= block.ownedStart && start < block.ownedEnd);
}

function matchesOf(text: PreparedText, { detect, risk }: PatternDetector): TermMatch[] {
  const { normalized } = text;
  return detect(normalized.text).map(({ type, start, end, reason }) => ({
    type,
    ...normalized.range(start, end),
    score: risk,
    reason,
  }));
}
