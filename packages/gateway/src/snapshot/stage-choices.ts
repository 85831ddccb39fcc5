import type {
  Pipeline,
  PipelineConfig,
  PipelineDependencies,
  StageDefinition,
  StageValue,
} from '@probity/pipeline';
import { BUILT_IN_STAGES, createPipeline } from '@probity/pipeline';

/**
 * Makes pipelines of some of the stages of a configuration, each choice once. They share what a stage has made of its
 * options: callers choose, and a list of 100,000 terms must not be indexed for each of their choices.
 *
 * @returns the pipeline of the stages with these names, in the order of the configuration
 */
export function createStageChoices(
  { stages = [] }: PipelineConfig,
  dependencies: PipelineDependencies | undefined,
): (names: readonly string[]) => Pipeline {
  let shared: readonly StageValue[] | undefined;
  const choices = new Map<string, Pipeline>();
  return (names) => {
    shared ??= stages.map((stage) => ({ ...stage, definition: createdOnce(stage.name) }));
    const chosen = shared.filter(({ name }) => names.includes(name));
    const key = chosen.map(({ name }) => name).join(' ');
    const known = choices.get(key) ?? createPipeline({ stages: chosen }, dependencies);
    choices.set(key, known);
    return known;
  };
}

function createdOnce(name: string): StageDefinition {
  const definition: StageDefinition | undefined = BUILT_IN_STAGES.find(
    (stage) => stage.name === name,
  );
  if (definition === undefined) throw new Error(`the pipeline has no stage ${name}`);
  let run: ReturnType<StageDefinition['create']> | undefined;
  return {
    ...definition,
    create(...given) {
      run ??= definition.create(...given);
      return run;
    },
  };
}
