import type { PipelineConfig, ResolvedStageConfig } from './config.ts';
import { checkBoolean, checkRecord, show } from './config.ts';
import { expectedOneOf } from './did-you-mean.ts';
import { PipelineConfigError } from './errors.ts';
import type { StageDefinition } from './stage-definition.ts';
import { BUILT_IN_STAGES, builtInStage, STAGE_NAMES } from './stages.ts';

const DEFAULT_TIMEOUT_MS = 10_000;
const DEFAULT_MAX_FINDINGS = 10_000;
const DEFAULT_STAGES = BUILT_IN_STAGES.filter(({ isDefault }) => isDefault);
/** The members of an entry of `stages` that is data. */
export const STAGE_KEYS: ReadonlySet<string> = new Set([
  'name',
  'enabled',
  'failOpen',
  'timeoutMs',
  'system',
  'options',
]);
/**
 * Checks a configuration and returns its enabled stages, defaults filled in.
 *
 * @throws PipelineConfigError naming the first option at fault
 */
export function resolveStages(config: PipelineConfig): readonly ResolvedStageConfig[] {
  checkRecord('config', config, new Set(['stages', 'maxFindings']));
  const { stages = DEFAULT_STAGES.map(({ name }) => ({ name })) }: { stages?: unknown } = config;
  if (!Array.isArray(stages)) {
    throw new PipelineConfigError('stages', `expected a list; got ${show(stages)}`);
  }
  const seen = new Set<string>();
  const resolved: ResolvedStageConfig[] = [];
  [...stages].forEach((entry: unknown, index) => {
    const path = `stages[${index}]`;
    const { definition: own, with: _, ...given } = checkRecord(path, withoutCall(path, entry));
    const stage = checkRecord(path, given, STAGE_KEYS);
    const definition = definitionOf(path, stage.name, own);
    const { name } = definition;
    if (seen.has(name)) throw new PipelineConfigError(`${path}.name`, `${name} is listed twice`);
    seen.add(name);
    const { enabled = true, failOpen = true, timeoutMs = DEFAULT_TIMEOUT_MS, system } = stage;
    const isEnabled = checkBoolean(`${path}.enabled`, enabled);
    const settings = {
      failOpen: checkBoolean(`${path}.failOpen`, failOpen),
      timeoutMs: checkTimeout(`${path}.timeoutMs`, timeoutMs),
      system: system === undefined ? undefined : checkBoolean(`${path}.system`, system),
    };
    const { options = {} } = stage;
    const checked = checkRecord(`${path}.options`, options);
    if (!isEnabled) return;
    resolved.push(Object.freeze({ name, definition, ...settings, options: checked }));
  });
  return Object.freeze(resolved);
}

/** A stage that was not called, as in `stages: [pii]`. */
function withoutCall(path: string, entry: unknown): unknown {
  if (typeof entry === 'string') {
    const expected = `expected a stage, such as { name: 'pii_scanner' } or pii()`;
    throw new PipelineConfigError(path, `${expected}; got ${show(entry)}`);
  }
  if (typeof entry !== 'function') return entry;
  const name = entry.name || 'the function';
  throw new PipelineConfigError(path, `expected a stage; got a function: call it, ${name}()`);
}

function definitionOf(path: string, name: unknown, definition: unknown): StageDefinition {
  if (definition !== undefined) return checkDefinition(path, definition);
  const known = typeof name === 'string' ? builtInStage(name) : undefined;
  if (known !== undefined) return known;
  const message = expectedOneOf(STAGE_NAMES, name, show(name));
  const own = ' A stage of your own is made by defineStage; in a settings file it needs "module".';
  throw new PipelineConfigError(`${path}.name`, message + own);
}

function checkDefinition(path: string, value: unknown): StageDefinition {
  if (isDefinition(value)) return value;
  throw new PipelineConfigError(`${path}.definition`, 'expected a stage made by defineStage');
}

/** Whether `value` has the form of a definition; another copy of this package may have made it. */
export function isDefinition(value: unknown): value is StageDefinition {
  if (typeof value !== 'object' || value === null) return false;
  const { name, score, types, reads, create } = value as Partial<StageDefinition>;
  const isNamed = typeof name === 'string' && typeof score === 'string';
  return isNamed && Array.isArray(types) && Array.isArray(reads) && typeof create === 'function';
}

/**
 * Checks `maxFindings` and fills in its default.
 *
 * @throws PipelineConfigError when it is no whole number from 1 to 1,000,000
 */
export function resolveMaxFindings({ maxFindings = DEFAULT_MAX_FINDINGS }: PipelineConfig): number {
  if (Number.isInteger(maxFindings) && maxFindings >= 1 && maxFindings <= 1_000_000) {
    return maxFindings;
  }
  throw new PipelineConfigError(
    'maxFindings',
    `expected a whole number from 1 to 1,000,000; got ${show(maxFindings)}`,
  );
}

function checkTimeout(path: string, value: unknown): number {
  if (typeof value === 'number' && value > 0 && value <= 2 ** 31 - 1) return value;
  throw new PipelineConfigError(
    path,
    `expected milliseconds above 0 and below 2^31; got ${show(value)}`,
  );
}
