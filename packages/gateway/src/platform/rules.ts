import { createHash } from 'node:crypto';
import type { Applicable } from '@probity/governance';
import type { Pipeline, Policy } from '@probity/pipeline';
import { parsePolicies } from '@probity/pipeline';
import { z } from 'zod';
import type { GatewayConfig } from '../config/read-config.ts';
import type { GatewayStageName } from '../config/stage-names.ts';
import { OPTIONAL_PII_TYPES, STAGES } from '../config/stage-names.ts';
import type { KnownClaim } from '../snapshot/pipeline-config.ts';

const rule = z.object({
  stage: z.string(),
  types: z.array(z.string()).min(1).optional(),
  threshold: z.number().min(0).max(1).optional(),
  action: z.enum(['block', 'redact', 'flag', 'allow']),
});

/** A policy as the platform lists it. */
export const platformPolicy = z.object({
  id: z.string(),
  version: z.int(),
  name: z.string(),
  enabled: z.boolean(),
  mode: z.enum(['enforce', 'monitor']),
  default: z.boolean(),
  keyIds: z.array(z.string()).nullable(),
  rules: z.array(rule),
});

/** A statement of the knowledge base as the platform lists it. */
export const platformNugget = z.object({ id: z.string(), claim: z.string() });

const rulesSchema = z.object({
  policies: z.array(platformPolicy),
  knowledge: z.array(platformNugget),
});

/** What the platform decides beside the configuration file. */
export type PlatformRules = z.output<typeof rulesSchema>;

/** Without a platform. */
export const NO_RULES: PlatformRules = Object.freeze({ policies: [], knowledge: [] });

/** @throws ZodError for anything but rules */
export function parseRules(value: unknown): PlatformRules {
  return rulesSchema.parse(value);
}

/** The policies that hold for scans of a gateway: those for all scans, as its keys are not the platform's. */
function policiesInForce({ policies }: PlatformRules): PlatformRules['policies'] {
  return policies.filter((policy) => policy.enabled && policy.default && policy.keyIds === null);
}

/** @throws PipelineConfigError for a rule about a stage or a type that does not exist here */
export function toApplicables(rules: PlatformRules, pipeline: Pipeline): Applicable[] {
  const inForce = policiesInForce(rules);
  const given = inForce.map(({ id, name, rules: listed }) => ({ id, name, rules: listed }));
  const parsed = parsePolicies(given, { pipeline });
  return inForce.map(({ id, version, mode }, index) => {
    return { id, version, mode, policy: parsed[index] as Policy };
  });
}

/** Claims for the truth stages. */
export function toKnownClaims({ knowledge }: PlatformRules): KnownClaim[] {
  return [...knowledge];
}

/** The hash of a configuration together with what the platform decides. */
export function hashWith(configHash: string, rules: PlatformRules): string {
  if (rules.policies.length === 0 && rules.knowledge.length === 0) return configHash;
  const text = configHash + JSON.stringify(rules);
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** How long a stage has where the file does not say. */
const LEAST_TIME_MS = 10_000;

type StageConfig = GatewayConfig['stage_config'];

/** A stage without time would not end, and pass what it has not looked at. */
function patient<Stage extends { readonly timeout_ms?: number | undefined }>(
  stage: Stage,
  isEnforced: boolean,
): Stage {
  const { timeout_ms: given } = stage;
  if (!isEnforced || given === undefined) return stage;
  return { ...stage, timeout_ms: Math.max(given, LEAST_TIME_MS) };
}

function patientStages(stages: StageConfig, enforced: ReadonlySet<string>): StageConfig {
  const all = Object.entries(stages).map(([name, stage]) => [
    name,
    patient(stage, enforced.has(name)),
  ]);
  return Object.fromEntries(all) as StageConfig;
}

/** From which confidence toxicity must be reported at least, for the platform's thresholds to decide. */
const LEAST_CONFIDENCE = 0.6;

/** What enforced policies speak of. */
interface Enforced {
  readonly stages: ReadonlySet<string>;
  /** Types that rules name. */
  readonly types: ReadonlySet<string>;
}

function enforcedBy(rules: PlatformRules): Enforced {
  const enforced = policiesInForce(rules)
    .filter(({ mode }) => mode === 'enforce')
    .flatMap((policy) => policy.rules.filter(({ action }) => action !== 'allow'));
  return {
    stages: new Set(enforced.map(({ stage }) => stage)),
    types: new Set(enforced.flatMap(({ types = [] }) => types)),
  };
}

/** The options of the stages without what would look at less. */
function strictStages(given: StageConfig, { stages, types }: Enforced): StageConfig {
  const staged = patientStages(given, stages);
  const { pii_scanner, injection_scanner, toxicity_scanner, secrets_scanner } = staged;
  const allOn = <Switches extends object>(name: GatewayStageName, switches: Switches): Switches =>
    stages.has(name)
      ? (Object.fromEntries(Object.keys(switches).map((type) => [type, true])) as Switches)
      : switches;
  const isToxicityOn = stages.has('toxicity_scanner');
  const { confidence_threshold: least } = toxicity_scanner;
  return {
    ...staged,
    pii_scanner: {
      ...pii_scanner,
      patterns: allOn('pii_scanner', pii_scanner.patterns),
      // All of them would find numbers of countries that nobody spoke of.
      optional_types: OPTIONAL_PII_TYPES.filter(
        (type) => types.has(type) || pii_scanner.optional_types.includes(type),
      ),
    },
    injection_scanner: {
      ...injection_scanner,
      enabled: injection_scanner.enabled || stages.has('injection_scanner'),
      types: allOn('injection_scanner', injection_scanner.types),
    },
    toxicity_scanner: {
      ...toxicity_scanner,
      confidence_threshold: isToxicityOn ? Math.min(least, LEAST_CONFIDENCE) : least,
      categories: allOn('toxicity_scanner', toxicity_scanner.categories),
    },
    secrets_scanner: stages.has('secrets_scanner')
      ? {
          ...secrets_scanner,
          types: allOn('secrets_scanner', secrets_scanner.types),
          confidence_threshold: 0,
          exceptions: [],
        }
      : secrets_scanner,
  };
}

/**
 * The configuration without what would look at less than the platform's policies are about: their stages are on with
 * all types and their time, and nothing is exempt. `terms_scanner` knows the file's own terms alone, and stays off
 * where there are none.
 */
export function strictConfig(config: GatewayConfig, rules: PlatformRules): GatewayConfig {
  const enforced = enforcedBy(rules);
  if (enforced.stages.size === 0) return config;
  const { lists, patterns } = config.stage_config.terms_scanner;
  const isOn = (name: GatewayStageName) =>
    enforced.stages.has(name) && (name !== 'terms_scanner' || lists.length + patterns.length > 0);
  const listed = config.scanning.stages;
  const missing = STAGES.filter(
    (name) => isOn(name) && listed.every((stage) => stage.name !== name),
  ).map((name) => ({ name, enabled: true }));
  return {
    ...config,
    scanning: {
      ...config.scanning,
      stages: [
        ...listed.map((stage) => ({ ...stage, enabled: stage.enabled || isOn(stage.name) })),
        ...missing,
      ],
    },
    stage_config: strictStages(config.stage_config, enforced),
    allowlists: {
      whitelisted_domains: [],
      exempt_users: [],
      exempt_ips: [],
      pii_exceptions: { patterns: [] },
    },
  };
}
