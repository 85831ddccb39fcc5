import { z } from 'zod';
import { domain, network, word } from './forms.ts';
import { flag, key, optionalShare, path, section, share } from './key-kinds.ts';
import { FURTHER_THRESHOLD } from './stage-keys.ts';
import { DEFAULT_STAGES, FURTHER_STAGES, STAGES } from './stage-names.ts';

const stage = z.strictObject({
  name: key(z.enum(STAGES), 'L', 'The stage.'),
  enabled: key(flag(true), 'L', 'Whether the stage runs.'),
  threshold: key(
    optionalShare(),
    'L',
    "Score from which the stage blocks; in place of the stage's value in `scanning.thresholds`.",
    {
      'x-without': `\`scanning.thresholds\`; ${FURTHER_THRESHOLD} of ${FURTHER_STAGES.join(' and ')}`,
    },
  ),
});

/** The keys below `scanning`. */
export const scanningKeys = section('The stages, and from which scores they block.', {
  stages: key(
    z
      .array(stage)
      .max(STAGES.length)
      .default(DEFAULT_STAGES.map((name) => ({ name, enabled: true }))),
    'L',
    `The stages in the order in which they run; a stage that is not listed is off, as ${FURTHER_STAGES.join(' and ')} are where the key is left out.`,
  ),
  backends_file: key(
    path.optional(),
    'L',
    'JSON file with `backends`: local models, a judge and the tier `meaning`, in the form of `probity-scan --config`; relative to the configuration. Each serving process loads the models at start.',
    { 'x-without': 'the stages use none' },
  ),
  thresholds: section('Scores from which a scan is blocked; a score equal to the threshold is.', {
    pii_risk: key(share(0.6), 'L', 'Combined risk of personal data.'),
    toxicity_score: key(share(0.7), 'L', 'Toxicity.'),
    hallucination_score: key(
      share(0.8),
      'L',
      'Contradictions to the knowledge base, and hallucination with `stage_config.hallucination_detector.action: block`.',
    ),
    injection_score: key(share(0.5), 'L', 'Injection.'),
  }),
});

/** The keys below `allowlists`. */
export const allowlistKeys = section('What is not scanned.', {
  whitelisted_domains: key(
    z.array(domain).max(10_000).default([]),
    'L',
    'Requests with one of these `source_domain`s are not scanned, where the API key may name that domain; `*.a.b` holds for the subdomains of a.b, not for itself.',
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
