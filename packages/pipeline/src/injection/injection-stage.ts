import { checkRecord, checkSwitches } from '../config.ts';
import { lazily } from '../lazy.ts';
import type { Stage, StageContext } from '../types.ts';
import { INJECTION_TYPES } from './injection-types.ts';
import type { LearnedJudge } from './learned.ts';

const withScan = lazily(() => import('./injection-scan.ts'));

/**
 * Makes the stage `injection_scanner`: attempts to take over a model, a database, a shell or an XPath
 * query, in prompt, response and context, by rules and by a learned model. Its score is the largest
 * of its findings; without any, what is left below the score from which places are reported.
 *
 * Option: `types`, an object of switches by type, each on by default.
 *
 * @throws PipelineConfigError naming the option at fault
 */
export function createInjectionStage(
  options: Readonly<Record<string, unknown>>,
  path: string,
): Stage {
  checkRecord(path, options, new Set(['types']));
  const enabled = checkSwitches(`${path}.types`, options.types, INJECTION_TYPES);
  const types = INJECTION_TYPES.filter((type) => enabled.has(type));
  let learned: LearnedJudge | undefined;
  return Object.freeze({
    name: 'injection_scanner',
    targets: ['prompt', 'response', 'context'],
    load: () =>
      withScan(({ createLearnedJudge }) => {
        learned ??= createLearnedJudge();
        return undefined;
      }),
    run(context: StageContext) {
      return withScan(({ createLearnedJudge, scanInjections }) => {
        learned ??= createLearnedJudge();
        return scanInjections(context, types, learned);
      });
    },
  } satisfies Stage);
}
