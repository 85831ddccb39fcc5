import { createClaimJudge } from '../backends/judge-claims.ts';
import type { StageDependencies } from '../backends/types.ts';
import { checkRecord } from '../config.ts';
import { lazily } from '../lazy.ts';
import type { Stage, StageContext } from '../types.ts';

const withScan = lazily(() => import('./hallucination-scan.ts'));

/**
 * Makes the stage `hallucination_detector`: each statement of the response against the context, or
 * against the prompt where there is no context and the prompt is long enough to hold the source. With
 * neither there is nothing to hold the response against, and no score. The score is that of the worst
 * statement.
 *
 * Options: `judge`, which claims a judge is asked about, where the pipeline has one: `from` and `to`
 * (claims with an own score between 0.2 and 0.95), `maxClaims` (8 a scan), `parallel` (4).
 *
 * @throws PipelineConfigError naming the option at fault
 */
export function createHallucinationStage(
  options: Readonly<Record<string, unknown>>,
  path: string,
  dependencies?: StageDependencies,
): Stage {
  checkRecord(path, options, new Set(['judge']));
  const asker = createClaimJudge(options.judge, `${path}.judge`, dependencies);
  return Object.freeze({
    name: 'hallucination_detector',
    targets: ['prompt', 'response', 'context'],
    load: () =>
      withScan(({ loadClaimModels }) => {
        loadClaimModels();
        return undefined;
      }),
    run: (context: StageContext) => withScan(({ scanClaims }) => scanClaims(context, asker)),
  } satisfies Stage);
}
