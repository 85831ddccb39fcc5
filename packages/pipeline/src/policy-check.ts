import { PipelineConfigError } from './errors.ts';
import type { Policy, PolicyAction } from './policy.ts';
import { STAGE_TYPES } from './stage-types.ts';
import { isStageName, STAGE_NAMES } from './stages.ts';
import type { StageName } from './types.ts';

/** Options of {@link parsePolicies}. */
export interface PolicyCheckOptions {
  /** Types that stages of your own report, by stage, besides those of the built-in stages. */
  readonly types?: Readonly<Partial<Record<StageName, readonly string[]>>>;
}

const ACTIONS: readonly PolicyAction[] = ['allow', 'flag', 'redact', 'block'];
const POLICY_MEMBERS = ['id', 'name', 'enabled', 'rules'];
const RULE_MEMBERS = ['stage', 'types', 'threshold', 'action'];

/**
 * Checks policies: a stage, type or action that does not exist would match nothing, and so allow
 * what the policy was written to block.
 *
 * @returns the policies, unchanged
 * @throws PipelineConfigError that names the member at fault: `policies.0.rules.2.stage`
 */
export function parsePolicies(policies: unknown, options: PolicyCheckOptions = {}): Policy[] {
  if (!Array.isArray(policies)) throw fault('policies', 'a list of policies', policies);
  for (const [index, policy] of policies.entries()) {
    checkPolicy(policy, `policies.${index}`, options);
  }
  const ids = policies.map(({ id }: Policy) => id);
  const repeated = ids.findIndex((id, index) => ids.indexOf(id) !== index);
  if (repeated >= 0) {
    throw new PipelineConfigError(
      `policies.${repeated}.id`,
      `${shown(ids[repeated])} is the id of another policy`,
    );
  }
  return policies as Policy[];
}

function checkPolicy(policy: unknown, at: string, options: PolicyCheckOptions): void {
  const { id, name, enabled, rules } = membersOf(policy, POLICY_MEMBERS, at);
  if (typeof id !== 'string' || id === '') throw fault(`${at}.id`, 'a text', id);
  if (typeof name !== 'string') throw fault(`${at}.name`, 'a text', name);
  if (enabled !== undefined && typeof enabled !== 'boolean') {
    throw fault(`${at}.enabled`, 'true or false', enabled);
  }
  if (!Array.isArray(rules)) throw fault(`${at}.rules`, 'a list of rules', rules);
  for (const [index, rule] of rules.entries()) checkRule(rule, `${at}.rules.${index}`, options);
}

function checkRule(rule: unknown, at: string, { types: own = {} }: PolicyCheckOptions): void {
  const { stage, types, threshold, action } = membersOf(rule, RULE_MEMBERS, at);
  if (!isStageName(stage)) throw unknown(`${at}.stage`, STAGE_NAMES, stage);
  if (!ACTIONS.includes(action as PolicyAction)) throw unknown(`${at}.action`, ACTIONS, action);
  const isShare = typeof threshold === 'number' && threshold >= 0 && threshold <= 1;
  if (threshold !== undefined && !isShare) {
    throw fault(`${at}.threshold`, 'a number from 0 to 1', threshold);
  }
  if (types === undefined) return;
  const known = [...STAGE_TYPES[stage], ...(own[stage] ?? [])];
  if (!Array.isArray(types) || types.length === 0) {
    throw fault(`${at}.types`, 'a list of at least one type', types);
  }
  for (const [index, type] of types.entries()) {
    if (!known.includes(type)) throw unknown(`${at}.types.${index}`, known, type);
  }
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
