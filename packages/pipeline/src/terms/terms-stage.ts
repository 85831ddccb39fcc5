import type { StageSettings, StageValue } from '../config.ts';
import { checkRecord } from '../config.ts';
import { PipelineConfigError } from '../errors.ts';
import { forEachBlock } from '../for-each-block.ts';
import type { CustomPattern, PatternDetector } from '../pii/custom-patterns.ts';
import { createPatternDetector } from '../pii/custom-patterns.ts';
import type { OptionalStageDefinition } from '../stage-definition.ts';
import { frozen } from '../stage-definition.ts';
import { stageValue } from '../stage-value.ts';
import { bestMatches } from '../text/best-matches.ts';
import type { PreparedText, TextBlock } from '../text/prepared-text.ts';
import { eachText } from '../text/prepared-text.ts';
import type { PreparedField, StageContext } from '../types.ts';
import type { TermList, TermMatch, TermSearch } from './term-lists.ts';
import { compileTermLists, DENIED_TERM } from './term-lists.ts';

/** Options of the stage `terms_scanner`. */
export interface TermsOptions {
  readonly lists?: readonly TermList[] | undefined;
  /** Patterns; `risk` is the score of a finding. */
  readonly patterns?: readonly CustomPattern[] | undefined;
}

const OPTIONS: ReadonlySet<string> = new Set(['lists', 'patterns']);
const MAX_PATTERNS = 200;

/** The stage `terms_scanner`. */
export const termsStage: OptionalStageDefinition<'terms_scanner', 'terms'> = frozen({
  name: 'terms_scanner',
  score: 'terms',
  hasOptionalScore: true,
  types: [DENIED_TERM],
  reads: ['prompt', 'response', 'context'],
  readsSystem: true,
  isDefault: false,
  scoring: 'findings',
  isScoreJudged: true,
  code: 'POLICY_BLOCKED',
  rules: [{ threshold: 0.8, action: 'block' }, { action: 'flag' }],
  severities: { otherwise: 'medium' },
  compares: false,
  create(options, path) {
    const { lists = [], patterns = [] } = checkRecord(path, options, OPTIONS);
    const { search } = compileTermLists(`${path}.lists`, lists);
    const detectors = compilePatterns(`${path}.patterns`, patterns);
    return (context) => scanTerms(context, search, detectors);
  },
  withOptions({ lists = [], patterns = [] }: TermsOptions) {
    const types = [...lists, ...patterns].map(({ type = DENIED_TERM }) => type);
    return types.length === 0 ? {} : { types: [...new Set(types)] };
  },
});

/**
 * Terms and patterns of your own in prompt, response and context, in time linear in the text. Its
 * score `terms` is the largest risk of what was found.
 */
export function terms(options: TermsOptions & StageSettings = {}): StageValue {
  return stageValue(termsStage, options);
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
  return detect(normalized.text).map(({ type, start, end, reason }) => ({
    type,
    ...normalized.range(start, end),
    score: risk,
    reason,
  }));
}
