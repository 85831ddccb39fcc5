import { checkClassifierOptions } from '../backends/backend-options.ts';
import type { StageDependencies } from '../backends/types.ts';
import { checkSwitches } from '../config.ts';
import { lazily } from '../lazy.ts';
import type { ClassifiedStageDefinition, StageRun } from '../stage-definition.ts';
import type { ClassifiedStage } from '../stage-names.ts';
import { checkFraction } from '../stage-options.ts';

const withClassifier = lazily(() => import('./classifier-scan.ts'));

/**
 * Makes the run of a stage that a classifier can help: after the stage itself, a classifier reads the
 * texts in windows, and what it says beyond the stage is reported and raises the score. It never lowers
 * anything, and where it fails or takes too long the stage stands as it is. The first windows to be read
 * are those in which the stage found something.
 *
 * Option: `classifier`, with `maxWindows` (16 a scan) and `windowLength` (1,200); checked also where
 * the pipeline has none.
 *
 * @throws PipelineConfigError naming the option at fault
 */
export function createClassifiedRun(
  { name, types, classifier: scale, create }: ClassifiedStageDefinition,
  options: Readonly<Record<string, unknown>>,
  path: string,
  dependencies: StageDependencies | undefined,
): StageRun {
  const { classifier: option, ...own } = options;
  const limits = checkClassifierOptions(option, `${path}.classifier`);
  const run = create(own, path, dependencies);
  const classifier = dependencies?.classifiers?.[name as ClassifiedStage];
  if (dependencies === undefined || classifier === undefined) return run;
  const help = {
    classifier,
    limits,
    dependencies,
    threshold: scale.threshold,
    known: new Set(types),
    enabled: checkSwitches(`${path}.${scale.switches}`, own[scale.switches], types),
    minScore: checkFraction(`${path}.minScore`, own.minScore ?? scale.minScore),
  };
  const runClassified: StageRun = (context) =>
    withClassifier(({ scanWithClassifier }) => scanWithClassifier(context, run, help));
  const load = async () => {
    await run.load?.();
    await withClassifier(() => undefined);
  };
  return Object.assign(runClassified, { load });
}
