import { checkClassifierOptions } from '../backends/backend-options.ts';
import type { StageDependencies } from '../backends/types.ts';
import { checkSwitches } from '../config.ts';
import { lazily } from '../lazy.ts';
import type { MeaningModel } from '../meaning/meaning-model.ts';
import type { ExceptionTest } from '../pii/exceptions.ts';
import { compileExceptions } from '../pii/exceptions.ts';
import type { ClassifiedStageDefinition, StageRun } from '../stage-definition.ts';
import type { ClassifiedStage } from '../stage-names.ts';
import { checkFraction } from '../stage-options.ts';

const withClassifier = lazily(() => import('./classifier-scan.ts'));

const withMeaning = lazily(() => import('../meaning/meaning-scan.ts'));

/**
 * Makes the run of a stage that back ends can help. Where the pipeline has the encoder of the tier `meaning`, the
 * findings of the stage are judged again by the meaning of the text, which raises or lowers their scores. After the stage itself, a classifier reads the
 * texts in windows, and its further findings are reported and raise the score; it never lowers
 * anything. Where one fails or takes too long the scores of the stage remain. The first windows to be read
 * are those in which the stage found something.
 *
 * Option: `classifier`, with `maxWindows` (16 a scan) and `windowLength` (1,200); checked also where
 * the pipeline has none.
 *
 * @throws PipelineConfigError naming the option at fault
 */
export function createClassifiedRun(
  definition: ClassifiedStageDefinition,
  options: Readonly<Record<string, unknown>>,
  path: string,
  dependencies: StageDependencies | undefined,
): StageRun {
  const { name, types, classifier: scale, scoring } = definition;
  const { classifier: option, ...own } = options;
  const limits = checkClassifierOptions(option, `${path}.classifier`);
  const run = createOwnRun(definition, own, path, dependencies);
  const classifier = dependencies?.classifiers?.[name as ClassifiedStage];
  if (dependencies === undefined || classifier === undefined) return run;
  const help = {
    classifier,
    limits,
    dependencies,
    threshold: scale.threshold,
    known: new Set(types),
    enabled: switchedOn(definition, own, path),
    minScore: checkFraction(`${path}.minScore`, own.minScore ?? scale.minScore),
    isExempt: exemptionsOf(scale.exceptions, own, path),
    needsPlace: scale.needsPlace ?? false,
    risks:
      scoring === 'risk' ? { ...definition, ...definition.withOptions?.(own) }.risks : undefined,
  };
  const runClassified: StageRun = (context) =>
    withClassifier(({ scanWithClassifier }) => scanWithClassifier(context, run, help));
  const load = async () => {
    await run.load?.();
    await withClassifier(() => undefined);
  };
  return Object.assign(runClassified, { load });
}

/** The types that no option switches off. */
function switchedOn(
  { types, classifier: { switches } }: ClassifiedStageDefinition,
  own: Readonly<Record<string, unknown>>,
  path: string,
): ReadonlySet<string> {
  const sets = switches.map((option) => checkSwitches(`${path}.${option}`, own[option], types));
  return new Set(types.filter((type) => sets.every((on) => on.has(type))));
}

function exemptionsOf(
  option: string | undefined,
  own: Readonly<Record<string, unknown>>,
  path: string,
): ExceptionTest {
  return compileExceptions(`${path}.${option}`, option === undefined ? [] : (own[option] ?? []));
}

/** The run of the stage itself, judged again by meaning where the pipeline has the encoder. */
function createOwnRun(
  definition: ClassifiedStageDefinition,
  own: Readonly<Record<string, unknown>>,
  path: string,
  dependencies: StageDependencies | undefined,
): StageRun {
  const { types, meaning, create } = definition;
  const run = create(own, path, dependencies);
  const encoder = dependencies?.meaning;
  if (dependencies === undefined || encoder === undefined || meaning === undefined) return run;
  const enabled = switchedOn(definition, own, path);
  const minScore = (own.minScore as number | undefined) ?? meaning.minScore;
  const uncut = create({ ...own, ...meaning.uncut }, path, dependencies);
  let model: MeaningModel | undefined;
  const judged: StageRun = (context) =>
    withMeaning(({ loadMeaning, scanWithMeaning }) => {
      model ??= loadMeaning(meaning.weights);
      const isAllEnabled = enabled.size === types.length;
      const use = { encoder, model, dependencies, enabled, isAllEnabled, minScore };
      return scanWithMeaning(context, uncut, use);
    });
  const load = async () => {
    await uncut.load?.();
    await withMeaning(({ loadMeaning }) => {
      model ??= loadMeaning(meaning.weights);
    });
  };
  return Object.assign(judged, { load, readsFieldsApart: run.readsFieldsApart });
}
