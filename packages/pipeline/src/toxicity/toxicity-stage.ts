import type { ClassifierOptions } from '../backends/backend-options.ts';
import type { StageSettings, StageValue, TypeSwitches } from '../config.ts';
import { checkRecord, checkSwitches, stageValue } from '../config.ts';
import { lazily } from '../lazy.ts';
import type { ClassifiedStageDefinition, StageRun } from '../stage-definition.ts';
import { frozen } from '../stage-definition.ts';
import { checkFraction } from '../stage-options.ts';
import type { ToxicityCategory } from './category-odds.ts';
import { TOXICITY_CATEGORIES } from './category-odds.ts';
import type { ToxicityModel } from './toxicity-scan.ts';

/** The specification's key `toxicity_scanner.confidence_threshold`. */
const DEFAULT_MIN_SCORE = 0.6;
const withScan = lazily(() => import('./toxicity-scan.ts'));

/** Options of the stage `toxicity_scanner`. */
export interface ToxicityOptions {
  /** The categories to look for. Default: all. */
  readonly categories?: TypeSwitches<ToxicityCategory> | undefined;
  /** 0 to 1, default 0.6: categories below it are not reported, 0 reports all for every text. */
  readonly minScore?: number | undefined;
  /** How much of a scan a classifier reads, where the pipeline has one. */
  readonly classifier?: ClassifierOptions | undefined;
}

const KEYS: ReadonlySet<string> = new Set(['categories', 'minScore']);

/** The stage `toxicity_scanner`. */
export const toxicityStage: ClassifiedStageDefinition<'toxicity_scanner', 'toxicity'> = frozen({
  name: 'toxicity_scanner',
  score: 'toxicity',
  types: TOXICITY_CATEGORIES,
  reads: ['prompt', 'response', 'context'],
  readsSystem: true,
  isDefault: true,
  scoring: 'findings',
  isScoreJudged: true,
  code: 'POLICY_BLOCKED',
  rules: [{ threshold: 0.7, action: 'block' }, { action: 'flag' }],
  severities: { otherwise: 'medium' },
  compares: false,
  classifier: { switches: ['categories'], threshold: 0.7, minScore: DEFAULT_MIN_SCORE },
  meaning: {
    weights: 'meaning-toxicity',
    uncut: { minScore: 0, categories: undefined },
    minScore: DEFAULT_MIN_SCORE,
  },
  commandLine: { uncut: { minScore: 0 }, reportedFrom: DEFAULT_MIN_SCORE },
  create(options, path) {
    const { minScore: least = DEFAULT_MIN_SCORE } = checkRecord(path, options, KEYS);
    const enabled = checkSwitches(`${path}.categories`, options.categories, TOXICITY_CATEGORIES);
    const minScore = checkFraction(`${path}.minScore`, least);
    let model: ToxicityModel | undefined;
    const run: StageRun = (context) =>
      withScan(({ createToxicityModel, scanToxicity }) => {
        model ??= createToxicityModel();
        return scanToxicity(context, model, enabled, minScore);
      });
    const load = () =>
      withScan(({ createToxicityModel }) => {
        model ??= createToxicityModel();
        return model.load();
      });
    return Object.assign(run, { load, readsFieldsApart: true });
  },
});

/**
 * Hate speech, harassment, self-harm, violence and sexual content in prompt, response and context. It
 * reports one finding per category and field, at the place that reads worst; its score `toxicity` is
 * the largest of all.
 */
export function toxicity(options: ToxicityOptions & StageSettings = {}): StageValue {
  return stageValue(toxicityStage, options);
}
