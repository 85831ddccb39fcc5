import { PipelineConfigError } from './errors.ts';
import { createInjectionStage } from './injection/injection-stage.ts';
import { createPiiStage } from './pii/pii-stage.ts';
import type { Stage, StageName } from './types.ts';

/**
 * Makes a stage from its options; `path` is where they stand in the configuration.
 *
 * @throws PipelineConfigError naming the option at fault
 */
export type StageFactory = (options: Readonly<Record<string, unknown>>, path: string) => Stage;

/** Factories by stage name. A name that is absent is not built. */
export type StageRegistry = Readonly<Partial<Record<StageName, StageFactory>>>;

/** The stages that this package brings. */
export const BUILT_IN_STAGES: StageRegistry = Object.freeze({
  pii_scanner: createPiiStage,
  injection_scanner: createInjectionStage,
});

/** Makes the stage called `name`, or says which names could be had. */
export function buildStage(
  registry: StageRegistry,
  name: StageName,
  options: Readonly<Record<string, unknown>>,
): Stage {
  const factory = registry[name];
  if (factory === undefined) {
    const known = Object.keys(registry).join(', ');
    const message = `this build has no such stage; it has ${known}. Set enabled: false or register it`;
    throw new PipelineConfigError(`stages.${name}`, message);
  }
  return factory(options, `stages.${name}.options`);
}
