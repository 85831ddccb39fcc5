import { checkRecord } from '../config.ts';
import { PipelineConfigError } from '../errors.ts';
import { forEachBlock } from '../for-each-block.ts';
import type { CustomPattern, PatternDetector } from '../pii/custom-patterns.ts';
import { createPatternDetector } from '../pii/custom-patterns.ts';
import { bestMatches } from '../text/best-matches.ts';
import type { PreparedText, TextBlock } from '../text/prepared-text.ts';
import { eachText } from '../text/prepared-text.ts';
import type { Stage, StageContext } from '../types.ts';
import type { TermList, TermMatch, TermSearch } from './term-lists.ts';
import { compileTermLists } from './term-lists.ts';

/** The name of the stage in configurations and results. */
export const TERMS_STAGE = 'terms_scanner';

/** Options of the stage `terms_scanner`. */
export interface TermsOptions {
  readonly lists?: readonly TermList[] | undefined;
  /** Patterns; `risk` is the score of a finding. */
  readonly patterns?: readonly CustomPattern[] | undefined;
}

const OPTIONS: ReadonlySet<string> = new Set(['lists', 'patterns']);
const MAX_PATTERNS = 200;

/**
 * Makes the stage `terms_scanner`: terms and patterns of your own in prompt, response and context. Its
 * score is the largest finding.
 *
 * @throws PipelineConfigError naming the option at fault, also for a pattern that could take too long
 */
export function createTermsStage(options: Readonly<Record<string, unknown>>, path: string): Stage {
  const { lists = [], patterns = [] } = checkRecord(path, options, OPTIONS);
  const { search } = compileTermLists(`${path}.lists`, lists);
  const detectors = compilePatterns(`${path}.patterns`, patterns);
  return Object.freeze({
    name: TERMS_STAGE,
    targets: ['prompt', 'response', 'context'],
    run: (context: StageContext) => scanTerms(context, search, detectors),
  } satisfies Stage);
}

function compilePatterns(path: string, patterns: unknown): PatternDetector[] {
  if (!Array.isArray(patterns) || patterns.length > MAX_PATTERNS) {
    throw new PipelineConfigError(path, `expected a list of at most ${MAX_PATTERNS} patterns`);
  }
  return patterns.map((pattern: CustomPattern, index) =>
    createPatternDetector(pattern, `${path}[${index}]`),
  );
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
