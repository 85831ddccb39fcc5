import { checkRecord, checkSwitches } from '../config.ts';
import { PipelineConfigError } from '../errors.ts';
import { lazily } from '../lazy.ts';
import type { Stage, StageContext } from '../types.ts';
import { TOXICITY_CATEGORIES } from './category-odds.ts';
import type { ToxicityModel } from './toxicity-scan.ts';

/** The specification's key `toxicity_scanner.confidence_threshold`. */
const DEFAULT_MIN_SCORE = 0.6;
const withScan = lazily(() => import('./toxicity-scan.ts'));

/**
 * Makes the stage `toxicity_scanner`: hate speech, harassment, self-harm, violence and sexual content
 * in prompt, response and context. It reports one finding per category and field, at the place that
 * reads worst; its score is the largest of all.
 *
 * Options: `categories`, an object of switches, each on by default; `minScore`, 0 to 1, default 0.6:
 * categories below it are not reported, 0 reports all of them for every text.
 *
 * @throws PipelineConfigError naming the option at fault
 */
export function createToxicityStage(
  options: Readonly<Record<string, unknown>>,
  path: string,
): Stage {
  checkRecord(path, options, new Set(['categories', 'minScore']));
  const enabled = checkSwitches(`${path}.categories`, options.categories, TOXICITY_CATEGORIES);
  const minScore = checkScore(`${path}.minScore`, options.minScore ?? DEFAULT_MIN_SCORE);
  let model: ToxicityModel | undefined;
  return Object.freeze({
    name: 'toxicity_scanner',
    targets: ['prompt', 'response', 'context'],
    load: () =>
      withScan(({ createToxicityModel }) => {
        model ??= createToxicityModel();
        return undefined;
      }),
    run(context: StageContext) {
      return withScan(({ createToxicityModel, scanToxicity }) => {
        model ??= createToxicityModel();
        return scanToxicity(context, model, enabled, minScore);
      });
    },
  } satisfies Stage);
}

function checkScore(path: string, value: unknown): number {
  if (typeof value === 'number' && value >= 0 && value <= 1) return value;
  throw new PipelineConfigError(path, 'expected a number from 0 to 1');
}
