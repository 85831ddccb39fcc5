import { z } from 'zod';
import { domain, network, word } from './forms.ts';
import { flag, key, optionalShare, section, share } from './key-kinds.ts';

/** The stages in the order of the specification. */
const STAGES = [
  'truth_scan',
  'pii_scanner',
  'injection_scanner',
  'toxicity_scanner',
  'contamination_check',
  'hallucination_detector',
  'output_truth_scanner',
] as const;

/** The name of a stage. */
export type GatewayStageName = (typeof STAGES)[number];

const stage = z.strictObject({
  name: key(z.enum(STAGES), 'L', 'The stage.'),
  enabled: key(flag(true), 'L', 'Whether the stage runs.'),
  threshold: key(
    optionalShare(),
    'L',
    "Score from which the stage blocks; in place of the stage's value in `scanning.thresholds`.",
    { 'x-without': '`scanning.thresholds`' },
  ),
});

/** The keys below `scanning`. */
export const scanningKeys = section('The stages, and from which scores they block.', {
  stages: key(
    z
      .array(stage)
      .max(STAGES.length)
      .default(STAGES.map((name) => ({ name, enabled: true }))),
    'L',
    'The stages in the order in which they run; a stage that is not listed is off.',
  ),
  thresholds: section('Scores from which a scan is blocked; a score equal to the threshold is.', {
    pii_risk: key(share(0.6), 'L', 'Combined risk of personal data.'),
    toxicity_score: key(share(0.7), 'L', 'Toxicity.'),
    hallucination_score: key(
      share(0.8),
      'L',
      'Hallucination, and contradictions to the knowledge base.',
    ),
    injection_score: key(share(0.5), 'L', 'Injection.'),
  }),
});

/** Keys of every stage beside those of the specification. */
function common() {
  return {
    threshold: key(
      optionalShare(),
      'L',
      'Score from which the stage blocks; overrides `scanning.stages[].threshold`.',
      { 'x-without': '`scanning.stages[].threshold`' },
    ),
    fail_open: key(
      flag(true),
      'L',
      'What follows when the stage fails or runs out of time: true goes on without it and says so, false blocks.',
    ),
    timeout_ms: key(
      z.int().min(1).max(3_600_000).optional(),
      'L',
      'Time of the stage in milliseconds.',
      { 'x-without': '10000, at most `server.request_timeout_ms`' },
    ),
  };
}

function switches<const Names extends readonly string[]>(names: Names, what: string) {
  const shape = Object.fromEntries(
    names.map((name) => [name, key(flag(true), 'L', `Whether ${what} \`${name}\` is looked for.`)]),
  );
  return section(
    `Each ${what} alone.`,
    shape as { [Name in Names[number]]: ReturnType<typeof flag> },
  );
}

const PII_PATTERNS = [
  ...(['ssn', 'credit_card', 'phone_number', 'email'] as const),
  ...(['passport', 'ip_address', 'bank_account'] as const),
] as const;
const INJECTIONS = [
  ...(['prompt_injection', 'sql_injection'] as const),
  ...(['command_injection', 'xpath_injection'] as const),
] as const;
const TOXICITIES = [
  ...(['hate_speech', 'harassment', 'self_harm', 'violence', 'sexual_content'] as const),
] as const;

const similarity = key(
  share(0.7),
  'L',
  'How similar a claim and a statement of the knowledge base must be to be compared.',
);

/** The keys below `stage_config`. */
export const stageConfigKeys = section('Options of the stages.', {
  pii_scanner: section('Personal data.', {
    patterns: switches(PII_PATTERNS, 'type'),
    ...common(),
  }),
  injection_scanner: section('Attempts to take over a model, a database or a shell.', {
    enabled: key(flag(true), 'L', 'False turns the stage off, whatever `scanning.stages` says.'),
    types: switches(INJECTIONS, 'type'),
    ...common(),
  }),
  toxicity_scanner: section('Toxic content.', {
    confidence_threshold: key(
      share(0.6),
      'L',
      'Confidence from which a category is reported, and flagged.',
    ),
    categories: switches(TOXICITIES, 'category'),
    ...common(),
  }),
  truth_scan: section('Claims of the prompt against the knowledge base.', {
    similarity_threshold: similarity,
    embedding_model: key(
      word.optional(),
      'LR',
      'Model of the vectors of claims in prompts; makes vectors of the same length as `embeddings.model`.',
      {
        'x-without': '`embeddings.model`',
      },
    ),
    ...common(),
  }),
  contamination_check: section('Protected text in the response.', common()),
  hallucination_detector: section('Claims of the response against the context.', common()),
  output_truth_scanner: section('Claims of the response against the knowledge base.', {
    similarity_threshold: similarity,
    ...common(),
  }),
});

/** The keys below `allowlists`. */
export const allowlistKeys = section('What is not scanned.', {
  whitelisted_domains: key(
    z.array(domain).max(10_000).default([]),
    'L',
    'Requests of an API key with one of these `source_domain`s are not scanned; `*.a.b` holds for the subdomains of a.b, not for itself.',
  ),
  pii_exceptions: section('Values that are no personal data.', {
    patterns: key(
      z.array(z.string()).max(200).default([]),
      'L',
      'Values to ignore: literal, or expressions that match the whole value and take linear time.',
    ),
  }),
  exempt_users: key(
    z.array(word).max(10_000).default([]),
    'L',
    'Requests with one of these `user_id`s are not scanned, where the API key may name that user.',
  ),
  exempt_ips: key(
    z.array(network).max(10_000).default([]),
    'L',
    'Requests of an API key over connections from these networks are not scanned; forwarded addresses are never believed.',
  ),
});
