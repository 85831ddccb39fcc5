import type { StageValue } from './config.ts';
import { didYouMean, expectedOneOf } from './did-you-mean.ts';
import { PipelineConfigError } from './errors.ts';
import type { Pipeline } from './pipeline.ts';
import type { Policy, PolicyAction, PolicyRule } from './policy-types.ts';
import type { StageDefinition } from './stage-definition.ts';
import { BUILT_IN_STAGES } from './stages.ts';
import type { StageReport } from './types.ts';

/** Options of {@link parsePolicies}. Rules may always be about the stages of this package. */
export interface PolicyCheckOptions {
  /** The pipeline whose stages, with the types that they report, rules may be about. */
  readonly pipeline?: Pick<Pipeline, 'definitions'> | undefined;
  /** Stages of your own that rules may be about, where there is no pipeline yet. */
  readonly stages?: readonly StageValue[] | undefined;
  /** Types that replaced stages report, by stage, besides those of their definitions. */
  readonly types?: Readonly<Record<string, readonly string[] | undefined>> | undefined;
}

/** What {@link parsePolicies} has returned. It is frozen, so that it stays as it was checked. */
const PARSED = new WeakSet<object>();

const ACTIONS: readonly PolicyAction[] = ['allow', 'flag', 'redact', 'block'];
const POLICY_MEMBERS = ['id', 'name', 'enabled', 'rules'];
const RULE_MEMBERS = ['stage', 'types', 'threshold', 'action'];

/**
 * Checks policies: a stage, type or action that does not exist would match nothing, and so allow
 * what the policy was written to block.
 *
 * @returns frozen copies: a change of the argument after the check has no effect
 * @throws PipelineConfigError that names the member at fault: `policies.0.rules.2.stage`
 */
export function parsePolicies(policies: unknown, options: PolicyCheckOptions = {}): Policy[] {
  return parseAll(policies, knownTypes(options));
}

/**
 * The policies as they are where `parsePolicies` has returned each of them, else checked copies.
 *
 * @param reports of the scan that is decided on: rules may be about its stages besides those of this package
 * @throws PipelineConfigError as `parsePolicies` does
 */
export function policiesForScan(
  policies: unknown,
  reports: readonly StageReport[],
): readonly Policy[] {
  if (areParsed(policies)) return policies;
  const further = reports.map(({ stage, facts }) => [stage, facts?.types] as const);
  return parseAll(policies, knownTypes({ types: Object.fromEntries(further) }));
}

/** The same for all scans of a pipeline. */
export function policiesForPipeline(policies: unknown, pipeline: Pipeline): readonly Policy[] {
  return areParsed(policies) ? policies : parsePolicies(policies, { pipeline });
}

function areParsed(policies: unknown): policies is readonly Policy[] {
  return Array.isArray(policies) && policies.every((policy) => PARSED.has(policy));
}

function parseAll(policies: unknown, known: KnownTypes): Policy[] {
  if (!Array.isArray(policies)) throw fault('policies', 'a list of policies', policies);
  const checked = [...policies].map((policy, index) =>
    parsePolicy(policy, `policies.${index}`, known),
  );
  const ids = checked.map(({ id }) => id);
  const repeated = ids.findIndex((id, index) => ids.indexOf(id) !== index);
  if (repeated >= 0) {
    throw new PipelineConfigError(
      `policies.${repeated}.id`,
      `${shown(ids[repeated])} is the id of another policy`,
    );
  }
  return checked;
}

/** The types that each stage reports. */
type KnownTypes = ReadonlyMap<string, readonly string[]>;

function knownTypes({
  pipeline,
  stages = [],
  types: further = {},
}: PolicyCheckOptions): KnownTypes {
  const known = new Map<string, readonly string[]>();
  const add = ({ name, types }: StageDefinition) =>
    known.set(name, [...new Set([...(known.get(name) ?? []), ...types])]);
  BUILT_IN_STAGES.forEach(add);
  pipeline?.definitions?.forEach(add);
  for (const { definition } of stages) add(definition);
  for (const [name, types = []] of Object.entries(further)) {
    known.set(name, [...(known.get(name) ?? []), ...types]);
  }
  return known;
}

function parsePolicy(policy: unknown, at: string, options: KnownTypes): Policy {
  const { id, name, enabled, rules } = membersOf(policy, POLICY_MEMBERS, at);
  if (typeof id !== 'string' || id === '') throw fault(`${at}.id`, 'a text', id);
  if (typeof name !== 'string') throw fault(`${at}.name`, 'a text', name);
  if (enabled !== undefined && typeof enabled !== 'boolean') {
    throw fault(`${at}.enabled`, 'true or false', enabled);
  }
  if (!Array.isArray(rules)) throw fault(`${at}.rules`, 'a list of rules', rules);
  const checked = [...rules].map((rule, index) => parseRule(rule, `${at}.rules.${index}`, options));
  const isEnabled = enabled === undefined ? {} : { enabled };
  const parsed = Object.freeze({ id, name, ...isEnabled, rules: Object.freeze(checked) });
  PARSED.add(parsed);
  return parsed;
}

function parseRule(rule: unknown, at: string, stages: KnownTypes): PolicyRule {
  const { stage, types, threshold, action } = membersOf(rule, RULE_MEMBERS, at);
  const known = typeof stage === 'string' ? stages.get(stage) : undefined;
  if (known === undefined) throw unknown(`${at}.stage`, [...stages.keys()], stage);
  if (!ACTIONS.includes(action as PolicyAction)) throw unknown(`${at}.action`, ACTIONS, action);
  const isShare = typeof threshold === 'number' && threshold >= 0 && threshold <= 1;
  if (threshold !== undefined && !isShare) {
    throw fault(`${at}.threshold`, 'a number from 0 to 1', threshold);
  }
  const checked = {
    stage: stage as string,
    ...(threshold === undefined ? {} : { threshold: threshold as number }),
    action: action as PolicyAction,
  };
  if (types === undefined) return Object.freeze(checked);
  if (!Array.isArray(types) || types.length === 0) {
    throw fault(`${at}.types`, 'a list of at least one type', types);
  }
  for (const [index, type] of types.entries()) {
    if (!known.includes(type)) throw unknown(`${at}.types.${index}`, known, type);
  }
  return Object.freeze({ ...checked, types: Object.freeze([...types]) });
}

function membersOf(
  value: unknown,
  names: readonly string[],
  at: string,
): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw fault(at, `an object with ${names.join(', ')}`, value);
  }
  const other = Object.keys(value).find((name) => !names.includes(name));
  if (other !== undefined) {
    const message = `is not known; known are ${names.join(', ')}.${didYouMean(other, names)}`;
    throw new PipelineConfigError(`${at}.${other}`, message);
  }
  return value as Readonly<Record<string, unknown>>;
}

function unknown(at: string, known: readonly string[], value: unknown): PipelineConfigError {
  return new PipelineConfigError(at, expectedOneOf(known, value, shown(value)));
}

function fault(at: string, expected: string, value: unknown): PipelineConfigError {
  return new PipelineConfigError(at, `expected ${expected}; got ${shown(value)}`);
}

function shown(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number'
    ? JSON.stringify(value).slice(0, 60)
    : typeof value;
}
