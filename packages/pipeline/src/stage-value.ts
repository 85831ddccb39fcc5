import type { StageSettings, StageValue } from './config.ts';
import { checkRecord } from './config.ts';
import type { StageDefinition } from './stage-definition.ts';

/**
 * A stage with settings and options, which stand side by side in `given`. The options are checked when
 * a pipeline is made with the stage.
 *
 * @throws PipelineConfigError when `given` is no object
 */
export function stageValue(definition: StageDefinition, given: StageSettings & object): StageValue {
  const { failOpen, timeoutMs, system, ...options } = checkRecord(definition.name, given);
  const settings = { failOpen, timeoutMs, system } as StageSettings;
  const isSet = Object.values(options).some((value) => value !== undefined);
  return Object.freeze({
    name: definition.name,
    definition,
    ...settings,
    ...(isSet && { options: Object.freeze(options) }),
  });
}
