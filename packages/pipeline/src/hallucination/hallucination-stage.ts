import type { JudgeOptions } from '../backends/backend-options.ts';
import { checkJudgeOptions } from '../backends/backend-options.ts';
import type { StageSettings, StageValue } from '../config.ts';
import { checkRecord, stageValue } from '../config.ts';
import { lazily } from '../lazy.ts';
import type { StageDefinition, StageRun } from '../stage-definition.ts';
import { frozen } from '../stage-definition.ts';
import { checkFlag } from '../stage-options.ts';
import type { HallucinationType } from './error-type.ts';

const withScan = lazily(() => import('./hallucination-scan.ts'));

const TYPES: Readonly<Record<HallucinationType, true>> = {
  number: true,
  date: true,
  entity: true,
  negation: true,
  quantity: true,
  antonym: true,
  role: true,
  unsupported: true,
};

/** Options of the stage `hallucination_detector`. */
export interface HallucinationOptions {
  /**
   * Whether a prompt of 400 characters or more is the source where there is no context. Default false.
   */
  readonly promptAsSource?: boolean | undefined;
  /** Which claims a judge is asked about, where the pipeline has one. */
  readonly judge?: JudgeOptions | undefined;
}

/** The stage `hallucination_detector`. */
export const hallucinationStage: StageDefinition<'hallucination_detector', 'hallucination'> =
  frozen({
    name: 'hallucination_detector',
    score: 'hallucination',
    types: Object.keys(TYPES),
    reads: ['prompt', 'response', 'context'],
    readsSystem: true,
    isDefault: true,
    scoring: 'text',
    isScoreJudged: true,
    code: 'POLICY_BLOCKED',
    rules: [{ threshold: 0.8, action: 'flag' }, { action: 'flag' }],
    severities: { otherwise: 'medium' },
    compares: true,
    create(options, path, dependencies) {
      checkRecord(path, options, new Set(['judge', 'promptAsSource']));
      const promptAsSource = checkFlag(`${path}.promptAsSource`, options.promptAsSource ?? false);
      const judge = checkJudgeOptions(options.judge, `${path}.judge`);
      const run: StageRun = (context) =>
        withScan(({ scanClaims }) => scanClaims(context, { promptAsSource, judge }, dependencies));
      const load = () =>
        withScan(({ loadClaimModels }) => {
          loadClaimModels();
          return undefined;
        });
      return Object.assign(run, { load });
    },
  });

/**
 * Each statement of the response against the context. Without one there is nothing to hold the response
 * against, and its score `hallucination` is 0; else it is that of the worst statement. Greetings, offers,
 * questions, headings and the like are no statements. The score is null, and the status `not_covered`,
 * where source or response are in a language that the stage does not know.
 */
export function hallucination(options: HallucinationOptions & StageSettings = {}): StageValue {
  return stageValue(hallucinationStage, options);
}
