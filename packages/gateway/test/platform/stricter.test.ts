import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestClock, temporaryFolder } from '@probity/test-support';
import { PROTECTED } from '../bypass/kinds.ts';
import { CLOUD_KEY, HALLUCINATION, INJECTION_TEXTS, PII_TEXTS, TOXIC_TEXTS } from '../texts.ts';
import { LOOPBACK, startGateway } from '../world.ts';
import { policyOf, startPlatform } from './platform.ts';

const EMAIL = { response: PII_TEXTS.email };
const INJECTION = { response: 'Fine.', prompt: INJECTION_TEXTS.prompt_injection };
const TOXIC = { response: TOXIC_TEXTS.harassment };
const SECRET = { response: `Use ${CLOUD_KEY} now.` };
const SECRETS_ON = 'scanning: {stages: [{name: secrets_scanner}]}\n';
const block = (stage: string, more: object = {}) => ({ stage, action: 'block', ...more });

/** What a file tries, and by which policy of the platform the request is refused nevertheless. */
interface Attempt {
  readonly name: string;
  readonly text: string;
  readonly rules: readonly object[];
  readonly request: object;
}

const ATTEMPTS: readonly Attempt[] = [
  {
    name: 'a threshold that nothing reaches',
    text: 'scanning: {thresholds: {pii_risk: 1}}',
    rules: [block('pii_scanner', { types: ['email'] })],
    request: EMAIL,
  },
  {
    name: 'a threshold above that of the platform',
    text: 'scanning: {thresholds: {pii_risk: 0.9}}',
    rules: [block('pii_scanner', { threshold: 0.4 })],
    request: EMAIL,
  },
  {
    name: 'a threshold of the stage itself',
    text: 'stage_config: {pii_scanner: {threshold: 1}}',
    rules: [block('pii_scanner')],
    request: EMAIL,
  },
  {
    name: 'a stage that is off',
    text: 'scanning: {stages: [{name: pii_scanner, enabled: false}, {name: injection_scanner}]}',
    rules: [block('pii_scanner')],
    request: EMAIL,
  },
  {
    name: 'a stage that is not listed',
    text: 'scanning: {stages: [{name: toxicity_scanner}]}',
    rules: [block('pii_scanner')],
    request: EMAIL,
  },
  {
    name: 'a type that is off',
    text: 'stage_config: {pii_scanner: {patterns: {email: false}}}',
    rules: [block('pii_scanner')],
    request: EMAIL,
  },
  {
    name: 'an exception for the value',
    text: "scanning: {thresholds: {pii_risk: 1}}\nallowlists: {pii_exceptions: {patterns: ['.*@example\\.com']}}",
    rules: [block('pii_scanner')],
    request: EMAIL,
  },
  {
    name: 'an exempt address',
    text: 'allowlists: {exempt_ips: [127.0.0.0/8]}',
    rules: [block('pii_scanner')],
    request: EMAIL,
  },
  {
    name: 'an exempt domain',
    text: "scanning: {thresholds: {pii_risk: 1}}\nallowlists: {whitelisted_domains: ['example.com']}",
    rules: [block('pii_scanner')],
    request: { ...EMAIL, metadata: { source_domain: 'example.com' } },
  },
  {
    name: 'no time for the stage',
    text: 'stage_config: {pii_scanner: {timeout_ms: 1}}\nscanning: {thresholds: {pii_risk: 1}}',
    rules: [block('pii_scanner')],
    request: { response: `${'The parcel is on its way. '.repeat(40_000)}${PII_TEXTS.email}` },
  },
  {
    name: 'injection off by its stage',
    text: 'stage_config: {injection_scanner: {enabled: false}}',
    rules: [block('injection_scanner', { threshold: 0.5 })],
    request: INJECTION,
  },
  {
    name: 'injection off by its type',
    text: 'stage_config: {injection_scanner: {types: {prompt_injection: false}}}',
    rules: [block('injection_scanner', { threshold: 0.5 })],
    request: INJECTION,
  },
  {
    name: 'toxicity from certainty on alone',
    text: 'stage_config: {toxicity_scanner: {confidence_threshold: 1}}\nscanning: {thresholds: {toxicity_score: 1}}',
    rules: [block('toxicity_scanner', { threshold: 0.7 })],
    request: TOXIC,
  },
  {
    name: 'toxicity of a category that is off',
    text: 'stage_config: {toxicity_scanner: {categories: {harassment: false, hate_speech: false, violence: false}}}',
    rules: [block('toxicity_scanner', { threshold: 0.7 })],
    request: TOXIC,
  },
  {
    name: 'secrets that are not looked for',
    text: '',
    rules: [block('secrets_scanner', { threshold: 0.8 })],
    request: SECRET,
  },
  {
    name: 'secrets off by their type',
    text: `${SECRETS_ON}stage_config: {secrets_scanner: {types: {api_key: false}}}`,
    rules: [block('secrets_scanner')],
    request: SECRET,
  },
  {
    name: 'secrets from certainty on alone, with a threshold that nothing reaches',
    text: `${SECRETS_ON}stage_config: {secrets_scanner: {confidence_threshold: 1, threshold: 1}}`,
    rules: [block('secrets_scanner')],
    request: SECRET,
  },
  {
    name: 'an exception for the secret',
    text: `${SECRETS_ON}stage_config: {secrets_scanner: {exceptions: ['AKIA.{16}']}}`,
    rules: [block('secrets_scanner')],
    request: SECRET,
  },
  {
    name: 'secrets that are replaced',
    text: `${SECRETS_ON}`,
    rules: [block('secrets_scanner')],
    request: { ...SECRET, redaction: 'mask' },
  },
  {
    name: 'terms that are off',
    text: 'scanning: {stages: [{name: terms_scanner, enabled: false}]}\nstage_config: {terms_scanner: {lists: [{type: codename, terms: [Nightjar]}]}}',
    rules: [block('terms_scanner')],
    request: { response: 'On Nightjar.' },
  },
  {
    name: 'protected text that only flags',
    text: `stage_config: {contamination_check: {protected_texts: ['${PROTECTED}']}}`,
    rules: [block('contamination_check', { threshold: 0.5 })],
    request: { response: PROTECTED },
  },
  {
    name: 'an optional type that is not listed',
    text: 'scanning: {thresholds: {pii_risk: 1}}',
    rules: [block('pii_scanner', { types: ['gb_nhs_number'] })],
    request: { response: 'NHS number: 943 476 5919' },
  },
  {
    name: 'hallucination that no threshold reaches',
    text: 'scanning: {thresholds: {hallucination_score: 1}}',
    rules: [block('hallucination_detector', { threshold: 0.5 })],
    request: HALLUCINATION,
  },
];

/** A key that may name every domain. */
const key = { domains: ['*'] };

for (const { name, text, rules, request } of ATTEMPTS) {
  test(`a file does not loosen what the platform blocks: ${name}`, async (t) => {
    const whole = `${LOOPBACK}${text}\n`;
    const alone = await startGateway(t, whole, { key });
    assert.equal((await alone.scan(request)).status, 200, 'the file alone lets it pass');
    const platform = await startPlatform(t);
    platform.policies = [policyOf('pol_platform', [...rules])];
    const env = {
      PROBITY_PLATFORM_URL: platform.url,
      PROBITY_PLATFORM_KEY: 'pbk_x',
      PROBITY_GATEWAY_STATE_FOLDER: temporaryFolder(t).path,
    };
    const linked = await startGateway(t, whole, { env, key, clock: createTestClock() });
    assert.equal((await linked.scan(request)).status, 403);
  });
}

/** What the file blocks, the platform cannot allow. */
const STRICTER: readonly Attempt[] = [
  {
    name: 'personal data',
    text: 'scanning: {thresholds: {pii_risk: 0.1}}',
    rules: [{ stage: 'pii_scanner', action: 'allow' }],
    request: EMAIL,
  },
  {
    name: 'injection',
    text: 'scanning: {thresholds: {injection_score: 0.1}}',
    rules: [{ stage: 'injection_scanner', action: 'allow' }],
    request: INJECTION,
  },
  {
    name: 'toxicity',
    text: 'scanning: {thresholds: {toxicity_score: 0.1}}',
    rules: [{ stage: 'toxicity_scanner', threshold: 0.9, action: 'flag' }],
    request: TOXIC,
  },
];

for (const { name, text, rules, request } of STRICTER) {
  test(`a file stays stricter than the platform: ${name}`, async (t) => {
    const platform = await startPlatform(t);
    platform.policies = [policyOf('pol_allow', [...rules])];
    const env = {
      PROBITY_PLATFORM_URL: platform.url,
      PROBITY_PLATFORM_KEY: 'pbk_x',
      PROBITY_GATEWAY_STATE_FOLDER: temporaryFolder(t).path,
    };
    const gateway = await startGateway(t, text, { env, clock: createTestClock() });
    assert.equal((await gateway.scan(request)).status, 403);
  });
}

test('a policy about terms leaves terms_scanner off where the file has none', async (t) => {
  const platform = await startPlatform(t);
  platform.policies = [policyOf('pol_terms', [block('terms_scanner'), block('pii_scanner')])];
  const env = {
    PROBITY_PLATFORM_URL: platform.url,
    PROBITY_PLATFORM_KEY: 'pbk_x',
    PROBITY_GATEWAY_STATE_FOLDER: temporaryFolder(t).path,
  };
  const gateway = await startGateway(t, '', { env, clock: createTestClock() });
  assert.equal((await gateway.scan({ response: 'On Nightjar.' })).status, 200);
  assert.equal((await gateway.scan(EMAIL)).status, 403);
});
