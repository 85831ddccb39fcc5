import type { StageDependencies } from './backends/types.ts';
import { createClassifiedRun } from './classified/classified-run.ts';
import type { ResolvedStageConfig } from './config.ts';
import { didYouMean } from './did-you-mean.ts';
import { PipelineConfigError } from './errors.ts';
import type {
  ClassifiedStageDefinition,
  CreateStageRun,
  StageDefinition,
} from './stage-definition.ts';
import type { BuiltInStageName } from './stage-names.ts';
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
  // A stage of one's own may have the name of a member that every object has, such as `constructor`.
  const factory = Object.hasOwn(registry, name) ? registry[name as BuiltInStageName] : undefined;
  const { targets, source } =
    factory === undefined
      ? { targets: () => definition.reads, source: definition }
      : replaced(definition, factory);
  const run = namingSettings(path, options, () =>
    hasHelp(source, options, dependencies)
      ? createClassifiedRun(source, options, path, dependencies)
      : source.create(options, path, dependencies),
  );
  const { load, readsFieldsApart } = run;
  return Object.freeze({
    name,
    targets: targets(),
    run: (context: StageContext) => run(context),
    ...(load && { load }),
    ...(readsFieldsApart && { readsFieldsApart }),
  });
}

const SETTINGS = ['failOpen', 'timeoutMs', 'system'];

/** Settings stand beside the options, so that a mistyped one is taken for an option. */
function namingSettings<Made>(
  path: string,
  options: Readonly<Record<string, unknown>>,
  create: () => Made,
): Made {
  try {
    return create();
  } catch (error) {
    if (!(error instanceof PipelineConfigError)) throw error;
    const { option, message } = error;
    const key = Object.keys(options).find((name) => option === `${path}.${name}`);
    const guess = didYouMean(key, SETTINGS);
    if (guess === '') throw error;
    const said = message.slice(option.length + 2);
    const hint = `${guess} It is a setting of the stage, beside its options.`;
    throw new PipelineConfigError(option, `${said}${hint}`);
  }
}

/** The definition with what a factory makes in place of its own run. */
function replaced(definition: StageDefinition, factory: StageFactory) {
  let stage: Stage | undefined;
  const create: CreateStageRun = (...args) => {
    const made = factory(...args);
    stage = made;
    const load = made.load && (() => made.load?.());
    const { readsFieldsApart } = made;
    return Object.assign((context: StageContext) => made.run(context), { load, readsFieldsApart });
  };
  const targets = () => stage?.targets ?? definition.reads;
  return { targets, source: { ...definition, meaning: undefined, create } };
}

/** Whether a back end helps the stage, or an option of it has to be checked. */
function hasHelp(
  definition: StageDefinition,
  { classifier }: Readonly<Record<string, unknown>>,
  dependencies: StageDependencies | undefined,
): definition is ClassifiedStageDefinition {
  if (definition.classifier === undefined) return false;
  if (definition.meaning !== undefined && dependencies?.meaning !== undefined) return true;
  const given: Readonly<Record<string, unknown>> = dependencies?.classifiers ?? {};
  return classifier !== undefined || given[definition.name] !== undefined;
}
