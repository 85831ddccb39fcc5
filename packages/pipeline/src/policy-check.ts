import { PipelineConfigError } from './errors.ts';
import type { Policy, PolicyAction, PolicyRule } from './policy.ts';
import { STAGE_TYPES } from './stage-types.ts';
import { isStageName, STAGE_NAMES } from './stages.ts';
import type { StageName } from './types.ts';

/** Options of {@link parsePolicies}. */
export interface PolicyCheckOptions {
  /** Types that stages of your own report, by stage, besides those of the built-in stages. */
  readonly types?: Readonly<Partial<Record<StageName, readonly string[]>>> | undefined;
}

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
  if (!Array.isArray(policies)) throw fault('policies', 'a list of policies', policies);
  const checked = policies.map((policy, index) =>
    parsePolicy(policy, `policies.${index}`, options),
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

function parsePolicy(policy: unknown, at: string, options: PolicyCheckOptions): Policy {
  const { id, name, enabled, rules } = membersOf(policy, POLICY_MEMBERS, at);
  if (typeof id !== 'string' || id === '') throw fault(`${at}.id`, 'a text', id);
  if (typeof name !== 'string') throw fault(`${at}.name`, 'a text', name);
  if (enabled !== undefined && typeof enabled !== 'boolean') {
    throw fault(`${at}.enabled`, 'true or false', enabled);
  }
  if (!Array.isArray(rules)) throw fault(`${at}.rules`, 'a list of rules', rules);
  const checked = rules.map((rule, index) => parseRule(rule, `${at}.rules.${index}`, options));
  const isEnabled = enabled === undefined ? {} : { enabled };
  return Object.freeze({ id, name, ...isEnabled, rules: Object.freeze(checked) });
}

function parseRule(rule: unknown, at: string, { types: own = {} }: PolicyCheckOptions): PolicyRule {
  const { stage, types, threshold, action } = membersOf(rule, RULE_MEMBERS, at);
  if (!isStageName(stage)) throw unknown(`${at}.stage`, STAGE_NAMES, stage);
  if (!ACTIONS.includes(action as PolicyAction)) throw unknown(`${at}.action`, ACTIONS, action);
  const isShare = typeof threshold === 'number' && threshold >= 0 && threshold <= 1;
  if (threshold !== undefined && !isShare) {
    throw fault(`${at}.threshold`, 'a number from 0 to 1', threshold);
  }
  const checked = {
    stage,
    ...(threshold === undefined ? {} : { threshold: threshold as number }),
    action: action as PolicyAction,
  };
  if (types === undefined) return Object.freeze(checked);
  const known = [...STAGE_TYPES[stage], ...(own[stage] ?? [])];
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
    throw new PipelineConfigError(`${at}.${other}`, `is not known; known are ${names.join(', ')}`);
  }
  return value as Readonly<Record<string, unknown>>;
}

function unknown(at: string, known: readonly string[], value: unknown): PipelineConfigError {
  return fault(at, `one of ${known.join(', ')}`, value);
}

function fault(at: string, expected: string, value: unknown): PipelineConfigError {
  return new PipelineConfigError(at, `expected ${expected}; got ${shown(value)}`);
}

function shown(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number'
    ? JSON.stringify(value).slice(0, 60)
    : typeof value;
}
