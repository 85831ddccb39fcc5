import type { ContaminationType } from './contamination/contamination-stage.ts';
import type { HallucinationType } from './hallucination/error-type.ts';
import type { InjectionType } from './injection/injection-types.ts';
import { NATIONAL_ID_TYPES } from './pii/national/national-types.ts';
import type { PiiType } from './risk.ts';
import { PII_RISK } from './risk.ts';
import type { SecretType } from './secrets/secret-row.ts';
import { DENIED_TERM } from './terms/term-lists.ts';
import { TOXICITY_CATEGORIES } from './toxicity/category-odds.ts';
import type { TruthType } from './truth/scored-claim.ts';
import type { StageName } from './types.ts';

const truth: Readonly<Record<TruthType, true>> = { supported: true, contradicted: true };
const injection: Readonly<Record<InjectionType, true>> = {
  prompt_injection: true,
  sql_injection: true,
  command_injection: true,
  xpath_injection: true,
};
const contamination: Readonly<Record<ContaminationType, true>> = {
  verbatim: true,
  near_verbatim: true,
  canary: true,
  hidden_text: true,
  encoded: true,
};
const hallucination: Readonly<Record<HallucinationType, true>> = {
  number: true,
  date: true,
  entity: true,
  negation: true,
  quantity: true,
  antonym: true,
  role: true,
  unsupported: true,
};

const secrets: Readonly<Record<SecretType, true>> = {
  api_key: true,
  access_token: true,
  private_key: true,
  jwt: true,
  connection_string: true,
  webhook_url: true,
};

/** The types of findings that each built-in stage reports. */
export const STAGE_TYPES: Readonly<Record<StageName, readonly string[]>> = Object.freeze({
  truth_scan: Object.keys(truth),
  pii_scanner: [...Object.keys(PII_RISK satisfies Record<PiiType, number>), ...NATIONAL_ID_TYPES],
  injection_scanner: Object.keys(injection),
  toxicity_scanner: TOXICITY_CATEGORIES,
  contamination_check: Object.keys(contamination),
  hallucination_detector: Object.keys(hallucination),
  output_truth_scanner: Object.keys(truth),
  secrets_scanner: Object.keys(secrets),
  terms_scanner: [DENIED_TERM],
});
