import { createClaimJudge } from '../backends/judge-claims.ts';
import type { StageDependencies } from '../backends/types.ts';
import { checkRecord } from '../config.ts';
import { lazily } from '../lazy.ts';
import { checkFlag } from '../stage-options.ts';
import type { Stage, StageContext } from '../types.ts';

const withScan = lazily(() => import('./hallucination-scan.ts'));

/**
 * Makes the stage `hallucination_detector`: each statement of the response against the context. Without
 * one there is nothing to hold the response against, and the score is 0. The score is that of the worst
 * statement; greetings, offers, questions, headings and the like are no statements. It is null, and
 * the status `not_covered`, where source or response are in a language that the stage does not know.
 *
 * Options: `promptAsSource` (false), whether a prompt of 400 characters or more is the source where there is
 * no context; `judge`, which claims a judge is asked about, where the pipeline has one: `from` and `to`
 * (claims with an own score between 0.2 and 0.95), `maxClaims` (8 a scan), `parallel` (4).
 *
 * @throws PipelineConfigError naming the option at fault
 */
export function createHallucinationStage(
  options: Readonly<Record<string, unknown>>,
  path: string,
  dependencies?: StageDependencies,
): Stage {
  checkRecord(path, options, new Set(['judge', 'promptAsSource']));
  const promptAsSource = checkFlag(`${path}.promptAsSource`, options.promptAsSource ?? false);
  const asker = createClaimJudge(options.judge, `${path}.judge`, dependencies);
  return Object.freeze({
    name: 'hallucination_detector',
    targets: ['prompt', 'response', 'context'],
    run: (context: StageContext) =>
      withScan(({ scanClaims }) => scanClaims(context, promptAsSource, asker)),
  } satisfies Stage);
}
