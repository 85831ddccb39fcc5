import type { ClassifiedStage, StageDependencies } from './backends/types.ts';
import type { createClassifiedStage } from './classified/classified-stage.ts';
import type { createContaminationStage } from './contamination/contamination-stage.ts';
import { PipelineConfigError } from './errors.ts';
import type { createHallucinationStage } from './hallucination/hallucination-stage.ts';
import type { createInjectionStage } from './injection/injection-stage.ts';
import { loadPart } from './libraries.ts';
import type { createPiiStage } from './pii/pii-stage.ts';
import type { createToxicityStage } from './toxicity/toxicity-stage.ts';
import type { createOutputTruthStage, createTruthStage } from './truth/truth-stage.ts';
import type { Stage, StageName } from './types.ts';

/**
 * Makes a stage from its options; `path` is where they stand in the configuration. `dependencies` is
 * what the program around the pipeline gives: configuration is data, back ends are not.
 *
 * @throws PipelineConfigError naming the option at fault
 */
export type StageFactory = (
  options: Readonly<Record<string, unknown>>,
  path: string,
  dependencies?: StageDependencies,
) => Stage;

/** Factories by stage name. A name that is absent is not built. */
export type StageRegistry = Readonly<Partial<Record<StageName, StageFactory>>>;

/**
 * The stages that this package brings. Each is loaded when the first pipeline with it is made, so that
 * a program pays for what it uses: together they are a hundred modules.
 */
export const BUILT_IN_STAGES: StageRegistry = Object.freeze({
  pii_scanner: lazily<typeof createPiiStage>('./pii/pii-stage.js', 'createPiiStage'),
  injection_scanner: lazily<typeof createInjectionStage>(
    './injection/injection-stage.js',
    'createInjectionStage',
  ),
  toxicity_scanner: lazily<typeof createToxicityStage>(
    './toxicity/toxicity-stage.js',
    'createToxicityStage',
  ),
  truth_scan: lazily<typeof createTruthStage>('./truth/truth-stage.js', 'createTruthStage'),
  contamination_check: lazily<typeof createContaminationStage>(
    './contamination/contamination-stage.js',
    'createContaminationStage',
  ),
  hallucination_detector: lazily<typeof createHallucinationStage>(
    './hallucination/hallucination-stage.js',
    'createHallucinationStage',
  ),
  output_truth_scanner: lazily<typeof createOutputTruthStage>(
    './truth/truth-stage.js',
    'createOutputTruthStage',
  ),
});

/** A factory that is loaded when it is first called. */
function lazily<Factory extends StageFactory>(path: string, name: string): StageFactory {
  return (options, at, dependencies) => {
    const part = loadPart<Readonly<Record<string, Factory>>>(path);
    return (part[name] as Factory)(options, at, dependencies);
  };
}

/** Makes the stage called `name`, or says which names could be had. */
export function buildStage(
  registry: StageRegistry,
  name: StageName,
  options: Readonly<Record<string, unknown>>,
  dependencies?: StageDependencies,
): Stage {
  const factory = registry[name];
  if (factory === undefined) {
    const known = Object.keys(registry).join(', ');
    const message = `unknown stage; registered are ${known}. Set enabled: false or register it`;
    throw new PipelineConfigError(`stages.${name}`, message);
  }
  const path = `stages.${name}.options`;
  const isPlain = !isClassified(name) || !hasClassifier(name, options, dependencies);
  if (isPlain) return factory(options, path, dependencies);
  const part = loadPart<{ readonly createClassifiedStage: typeof createClassifiedStage }>(
    './classified/classified-stage.js',
  );
  return part.createClassifiedStage(name, options, path, dependencies, (rest) =>
    factory(rest, path, dependencies),
  );
}

/** Whether a classifier may help the stage. */
function isClassified(name: StageName): name is ClassifiedStage {
  return name === 'injection_scanner' || name === 'toxicity_scanner';
}

function hasClassifier(
  name: ClassifiedStage,
  { classifier }: Readonly<Record<string, unknown>>,
  dependencies: StageDependencies | undefined,
): boolean {
  return classifier !== undefined || dependencies?.classifiers?.[name] !== undefined;
}
