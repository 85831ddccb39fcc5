import type { ClassifierOptions } from '../backends/backend-options.ts';
import type { StageSettings, StageValue, TypeSwitches } from '../config.ts';
import { checkRecord, checkSwitches, stageValue } from '../config.ts';
import { lazily } from '../lazy.ts';
import type { ClassifiedStageDefinition, StageRun } from '../stage-definition.ts';
import { frozen } from '../stage-definition.ts';
import type { InjectionType } from './injection-types.ts';
import { INJECTION_TYPES } from './injection-types.ts';
import type { LearnedJudge } from './learned.ts';

const withScan = lazily(() => import('./injection-scan.ts'));

/** Options of the stage `injection_scanner`. */
export interface InjectionOptions {
  /** The types to look for. Default: all. */
  readonly types?: TypeSwitches<InjectionType> | undefined;
  /** How much of a scan a classifier reads, where the pipeline has one. */
  readonly classifier?: ClassifierOptions | undefined;
}

/** The stage `injection_scanner`. */
export const injectionStage: ClassifiedStageDefinition<'injection_scanner', 'injection'> = frozen({
  name: 'injection_scanner',
  score: 'injection',
  types: INJECTION_TYPES,
  reads: ['prompt', 'response', 'context'],
  // Orders to a model are what a system prompt is made of.
  readsSystem: false,
  isDefault: true,
  scoring: 'findings',
  isScoreJudged: true,
  code: 'INJECTION_ATTEMPT_DETECTED',
  rules: [{ threshold: 0.5, action: 'block' }, { action: 'flag' }],
  severities: { byType: { command_injection: 'critical' }, otherwise: 'high' },
  compares: false,
  classifier: { switches: ['types'], threshold: 0.5, minScore: 0.5 },
  create(options, path) {
    checkRecord(path, options, new Set(['types']));
    const enabled = checkSwitches(`${path}.types`, options.types, INJECTION_TYPES);
    const types = INJECTION_TYPES.filter((type) => enabled.has(type));
    let learned: LearnedJudge | undefined;
    const run: StageRun = (context) =>
      withScan(({ createLearnedJudge, scanInjections }) => {
        learned ??= createLearnedJudge();
        return scanInjections(context, types, learned);
      });
    const load = () =>
      withScan(({ createLearnedJudge }) => {
        learned ??= createLearnedJudge();
        return undefined;
      });
    return Object.assign(run, { load, readsFieldsApart: true });
  },
});

/**
 * Attempts to take over a model, a database, a shell or an XPath query, in prompt, response and
 * context, by rules and by a learned model. Its score `injection` is the largest of its findings;
 * without any, what is left below the score from which places are reported.
 */
export function injection(options: InjectionOptions & StageSettings = {}): StageValue {
  return stageValue(injectionStage, options);
}
