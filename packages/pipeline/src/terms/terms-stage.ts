import type { StageSettings, StageValue } from '../config.ts';
import { checkRecord, stageValue } from '../config.ts';
import { PipelineConfigError } from '../errors.ts';
import { lazily } from '../lazy.ts';
import type { CheckedPattern, CustomPattern } from '../pii/custom-patterns.ts';
import { checkCustomPattern } from '../pii/custom-patterns.ts';
import type { OptionalStageDefinition, StageRun } from '../stage-definition.ts';
import { frozen } from '../stage-definition.ts';
import type { TermList } from './term-lists.ts';
import { checkTermLists, DENIED_TERM } from './term-lists.ts';

/** Options of the stage `terms_scanner`. */
export interface TermsOptions {
  /** Lists of terms. There must be one, or a pattern. */
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
  lists: ['lists.terms'],
  create(options, path) {
    const { lists = [], patterns = [] } = checkRecord(path, options, OPTIONS);
    const checkedLists = checkTermLists(`${path}.lists`, lists);
    const checkedPatterns = checkPatterns(`${path}.patterns`, patterns);
    if (checkedLists.length + checkedPatterns.length === 0) {
      throw new PipelineConfigError(path, 'expected lists, patterns or both; got neither');
    }
    const withScan = lazily(async () => {
      const { createTermScan } = await import('./terms-scan.ts');
      return createTermScan(checkedLists, checkedPatterns);
    });
    const run: StageRun = (context) => withScan((scan) => scan(context));
    return Object.assign(run, { load: () => withScan(() => undefined), readsFieldsApart: true });
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

function checkPatterns(path: string, patterns: unknown): readonly CheckedPattern[] {
  if (!Array.isArray(patterns) || patterns.length > MAX_PATTERNS) {
    throw new PipelineConfigError(path, `expected a list of at most ${MAX_PATTERNS} patterns`);
  }
  return [...patterns].map((pattern: CustomPattern, index) =>
    checkCustomPattern(pattern, `${path}[${index}]`),
  );
}
