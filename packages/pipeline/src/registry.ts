import type { StageDependencies } from './backends/types.ts';
import { createClassifiedRun } from './classified/classified-run.ts';
import type { ResolvedStageConfig } from './config.ts';
import type {
  ClassifiedStageDefinition,
  CreateStageRun,
  StageDefinition,
} from './stage-definition.ts';
import type { BuiltInStageName } from './stages.ts';
import type { Stage, StageContext } from './types.ts';

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

/** Factories that take the place of stages of this package, by name. */
export type StageRegistry = Readonly<Partial<Record<BuiltInStageName, StageFactory>>>;

/** Makes a configured stage: by the factory registered under its name, else as its definition says. */
export function buildStage(
  { name, definition, options }: Pick<ResolvedStageConfig, 'name' | 'definition' | 'options'>,
  registry: StageRegistry = {},
  dependencies?: StageDependencies,
): Stage {
  const path = `stages.${name}.options`;
  const factory = registry[name as BuiltInStageName];
  const { targets, source } =
    factory === undefined
      ? { targets: () => definition.reads, source: definition }
      : replaced(definition, factory);
  const run = hasClassifier(source, options, dependencies)
    ? createClassifiedRun(source, options, path, dependencies)
    : source.create(options, path, dependencies);
  const { load } = run;
  return Object.freeze({
    name,
    targets: targets(),
    run: (context: StageContext) => run(context),
    ...(load && { load }),
  });
}

/** The definition with what a factory makes in place of its own run. */
function replaced(definition: StageDefinition, factory: StageFactory) {
  let stage: Stage | undefined;
  const create: CreateStageRun = (...args) => {
    const made = factory(...args);
    stage = made;
    const load = made.load && (() => made.load?.());
    return Object.assign((context: StageContext) => made.run(context), { load });
  };
  const targets = () => stage?.targets ?? definition.reads;
  return { targets, source: { ...definition, create } };
}

function hasClassifier(
  definition: StageDefinition,
  { classifier }: Readonly<Record<string, unknown>>,
  dependencies: StageDependencies | undefined,
): definition is ClassifiedStageDefinition {
  if (definition.classifier === undefined) return false;
  const given: Readonly<Record<string, unknown>> = dependencies?.classifiers ?? {};
  return classifier !== undefined || given[definition.name] !== undefined;
}
