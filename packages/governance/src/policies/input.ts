import type { FieldError } from '@probity/core';
import { validationError } from '@probity/core';
import { validate } from '@probity/core/internal';
import type { Pipeline, PolicyRule } from '@probity/pipeline';
import { PipelineConfigError, parsePolicies } from '@probity/pipeline';
import { z } from 'zod';
import { MAX_DRY_RUN_SCANS, MAX_KEYS, MAX_RULES } from './limits.ts';
import { POLICY_MODES } from './types.ts';

const NAME = 'must have 1 to 200 characters';
const DESCRIPTION = 'must have at most 5,000 characters, or be null';
const MODE = `must be one of ${POLICY_MODES.join(', ')}`;
const KEYS = `must be a list of 1 to ${MAX_KEYS} ids of API keys, or null`;
const RULES = `must be a list of at most ${MAX_RULES} rules`;
const THRESHOLD = 'must be a number from 0 to 1';
const TYPES = 'must be a list of 1 to 100 types';

const action = z
  .enum(['block', 'redact', 'flag', 'allow'], 'must be one of block, redact, flag, allow')
  .describe('What is done with what the rule matches.');

/** A rule of a policy. The names of stages and types are checked by the service, which suggests the right one. */
const rule = z.strictObject({
  stage: z.string('must be the name of a stage').max(100),
  types: z
    .array(z.string().max(100), TYPES)
    .min(1, TYPES)
    .max(100, TYPES)
    .optional()
    .describe('The types of findings that it matches; default all types of the stage.'),
  threshold: z
    .number(THRESHOLD)
    .min(0, THRESHOLD)
    .max(1, THRESHOLD)
    .optional()
    .describe(
      'From which value on it matches: with `types` that of the finding, without them the score of the stage. Default 0.',
    ),
  action,
});

const RULES_DESCRIPTION =
  'The first rule that matches a finding decides on it; what no rule matches is allowed.';

/** The rules of a policy as they are given. */
const policyRules = z
  .array(rule.meta({ id: 'NewPolicyRule' }), RULES)
  .max(MAX_RULES, RULES)
  .describe(RULES_DESCRIPTION);

/** The members of a policy that are given and returned alike. */
export const policyMembers = {
  name: z.string(NAME).trim().min(1, NAME).max(200, NAME),
  description: z.string(DESCRIPTION).max(5_000, DESCRIPTION).nullable(),
  enabled: z.boolean().describe('A disabled policy applies to no scan.'),
  mode: z
    .enum(POLICY_MODES, MODE)
    .describe(
      '`enforce`: decides on scans. `monitor`: changes no verdict; each scan records what the policy would have decided.',
    ),
  default: z
    .boolean()
    .describe(
      'Whether it applies to scans that name no policies. Not used where `keyIds` are given.',
    ),
  keyIds: z
    .array(z.string().regex(/^[\x21-\x7e]{1,100}$/, 'must be the id of an API key'), KEYS)
    .min(1, KEYS)
    .max(MAX_KEYS, KEYS)
    .meta({ uniqueItems: true })
    .nullable()
    .describe(
      'Binds the policy to these API keys: it applies to all of their scans, also to those that name other ' +
        'policies, and to scans of other keys only when they name it. Null for no binding.',
    ),
  /** As they are returned: of what is received, schemas permit further members. */
  rules: z.array(rule.meta({ id: 'PolicyRule' })).describe(RULES_DESCRIPTION),
};

const { name, description, enabled, mode, keyIds } = policyMembers;

const optional = {
  description: description.optional(),
  enabled: enabled.optional(),
  mode: mode.optional(),
  default: policyMembers.default.optional(),
  keyIds: keyIds.optional(),
};

/** What creates a policy, over HTTP and in code. */
export const newPolicy = z
  .strictObject({ name, ...optional, rules: policyRules })
  .meta({ id: 'NewPolicy' });

/** What changes a policy. */
export const policyChanges = newPolicy.partial().meta({ id: 'PolicyChanges' });

const LAST = `must be a whole number from 1 to ${MAX_DRY_RUN_SCANS}`;

/** The members of a dry run that are the same over HTTP and in code. */
export const dryRunMembers = {
  rules: policyRules,
  policyId: z
    .string()
    .max(100)
    .optional()
    .describe('The policy whose rules they would replace; by default they are a further policy.'),
  last: z
    .int(LAST)
    .min(1, LAST)
    .max(MAX_DRY_RUN_SCANS, LAST)
    .optional()
    .describe('The number of newest scans; default 10,000 without `since`.'),
};

/** What a dry run takes, in code. */
export const dryRunRequest = z.strictObject({
  ...dryRunMembers,
  since: z.date().optional(),
});

/**
 * Checks the names of stages and types: a rule about one that does not exist would match nothing.
 * @throws ProbityError `validation_failed` with the first fault of every rule, and the name that was likely meant
 */
export function requireKnownRules(given: readonly PolicyRule[], pipeline: Pipeline): void {
  const checked = validate(policyRules, given, 'rules') as readonly PolicyRule[];
  const faults = checked.flatMap((rule, index): FieldError[] => {
    const fault = faultOf(rule, pipeline);
    if (!fault) return [];
    const field = fault.option.replace('policies.0.rules.0', `rules.${index}`);
    return [{ field, message: fault.message.slice(fault.option.length + 2) }];
  });
  if (faults.length > 0) throw validationError(...faults);
}

/** Null for a rule that the pipeline accepts. */
export function faultOf(rule: PolicyRule, pipeline: Pipeline): PipelineConfigError | null {
  try {
    parsePolicies([{ id: 'checked', name: 'checked', rules: [rule] }], { pipeline });
    return null;
  } catch (error) {
    if (error instanceof PipelineConfigError) return error;
    throw error;
  }
}
