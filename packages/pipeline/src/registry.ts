import type { ClassifiedStage, StageDependencies } from './backends/types.ts';
import { createClassifiedStage } from './classified/classified-stage.ts';
import { createContaminationStage } from './contamination/contamination-stage.ts';
import { PipelineConfigError } from './errors.ts';
import { createHallucinationStage } from './hallucination/hallucination-stage.ts';
import { createInjectionStage } from './injection/injection-stage.ts';
import { createPiiStage } from './pii/pii-stage.ts';
import { createSecretsStage } from './secrets/secrets-stage.ts';
import { createTermsStage } from './terms/terms-stage.ts';
import { createToxicityStage } from './toxicity/toxicity-stage.ts';
import { createOutputTruthStage, createTruthStage } from './truth/truth-stage.ts';
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
 * The stages that this package brings. They are imported statically, so that bundlers, tracers of
 * files and test runners see every module; weights and tables are loaded at their first use.
 */
export const BUILT_IN_STAGES: StageRegistry = Object.freeze({
  pii_scanner: createPiiStage,
  injection_scanner: createInjectionStage,
  toxicity_scanner: createToxicityStage,
  truth_scan: createTruthStage,
  contamination_check: createContaminationStage,
  hallucination_detector: createHallucinationStage,
  output_truth_scanner: createOutputTruthStage,
  secrets_scanner: createSecretsStage,
  terms_scanner: createTermsStage,
});

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
  return createClassifiedStage(name, options, path, dependencies, (rest) =>
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
