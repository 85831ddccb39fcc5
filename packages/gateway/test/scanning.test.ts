import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '@probity/test-support';
import { HALLUCINATION, INJECTION_TEXTS, PII_TEXTS, TOXIC_TEXTS } from './texts.ts';
import { at, startGateway, typesOf } from './world.ts';

const SWITCHES = [
  ['pii_scanner', 'patterns', PII_TEXTS],
  ['injection_scanner', 'types', INJECTION_TEXTS],
  ['toxicity_scanner', 'categories', TOXIC_TEXTS],
] as const;

for (const [stage, option, texts] of SWITCHES) {
  for (const [type, response] of Object.entries(texts)) {
    test(`stage_config.${stage}.${option}.${type} alone decides whether it is found and counted`, async (t) => {
      const on = await startGateway(t);
      const off = await startGateway(t, `stage_config: {${stage}: {${option}: {${type}: false}}}`);
      assert.ok(typesOf(await on.scan({ response })).includes(type));
      assert.ok(!typesOf(await off.scan({ response })).includes(type));
      const others = Object.entries(texts).filter(([other]) => other !== type);
      for (const [other, text] of others.slice(0, 1)) {
        assert.ok(typesOf(await off.scan({ response: text })).includes(other));
      }
      const series = new RegExp(`="${type}"\\} `);
      assert.match(await on.metrics(), series);
      assert.doesNotMatch(await off.metrics(), series);
    });
  }
}

/** A request, the score that it has, and the keys by which that score blocks. */
const THRESHOLDS = [
  ['pii_risk', 'pii', 'pii_scanner', { response: PII_TEXTS.email }],
  ['toxicity_score', 'toxicity', 'toxicity_scanner', { response: TOXIC_TEXTS.harassment }],
  [
    'injection_score',
    'injection',
    'injection_scanner',
    { response: INJECTION_TEXTS.sql_injection },
  ],
  ['hallucination_score', 'hallucination', 'hallucination_detector', HALLUCINATION],
] as const;

for (const [key, score, stage, request] of THRESHOLDS) {
  test(`scanning.thresholds.${key} blocks from its value on, and flags below`, async (t) => {
    const open = 'toxicity_score: 1, injection_score: 1, pii_risk: 1, hallucination_score: 1';
    // Of these stages one only flags by default.
    const blocks = 'stage_config: {hallucination_detector: {action: block}}\n';
    const measured = await startGateway(t, `${blocks}scanning: {thresholds: {${open}}}`);
    const { body } = await measured.scan(request);
    const value = at(body, `data.scores.${score}`) as number;
    assert.ok(value > 0 && value < 1, `${value}`);
    const statusAt = async (threshold: number) => {
      const keys = `{${open.replace(`${key}: 1`, `${key}: ${threshold}`)}}`;
      const gateway = await startGateway(t, `${blocks}scanning: {thresholds: ${keys}}`);
      return (await gateway.scan(request)).status;
    };
    assert.equal(await statusAt(Math.floor(value * 1e4) / 1e4), 403);
    assert.equal(await statusAt(Math.min(1, value + 1e-3)), 200);
  });

  test(`the threshold of ${stage} in stage_config precedes the one in stages, and both ${key}`, async (t) => {
    // Of these stages one only flags by default.
    const action = stage === 'hallucination_detector' ? 'action: block' : '';
    const text = (inStages: number, inConfig?: number) => {
      const keys = [action, inConfig === undefined ? '' : `threshold: ${inConfig}`];
      return (
        `scanning: {stages: [{name: ${stage}, threshold: ${inStages}}], thresholds: {${key}: 1}}\n` +
        `stage_config: {${stage}: {${keys.filter((each) => each !== '').join(', ')}}}`
      );
    };
    const statusWith = async (configuration: string) =>
      (await (await startGateway(t, configuration)).scan(request)).status;
    assert.equal(await statusWith(text(0.1)), 403);
    assert.equal(await statusWith(text(0.1, 1)), 200);
  });
}

test('a threshold of 0 for personal data blocks any finding', async (t) => {
  const gateway = await startGateway(t, 'scanning: {thresholds: {pii_risk: 0}}');
  assert.equal((await gateway.scan({ response: PII_TEXTS.ip_address })).status, 403);
  assert.equal((await gateway.scan({ response: 'Nothing here.' })).status, 200);
});

test('the codes and reasons of blocked scans are those of the specification', async (t) => {
  const gateway = await startGateway(t);
  for (const [response, code, reason] of [
    [PII_TEXTS.ssn, 'PII_DETECTED', 'pii_scanner found ssn'],
    [
      INJECTION_TEXTS.sql_injection,
      'INJECTION_ATTEMPT_DETECTED',
      'injection_scanner found sql_injection',
    ],
    [TOXIC_TEXTS.harassment, 'POLICY_BLOCKED', 'toxicity_scanner found harassment'],
  ] as const) {
    const { status, body } = await gateway.scan({ response });
    assert.equal(status, 403);
    assert.equal(at(body, 'error.code'), code);
    assert.equal(at(body, 'governance.verdict'), 'blocked');
    assert.equal(at(body, 'governance.policy_id'), 'pol_gateway');
    assert.equal(at(body, 'governance.violation_reason'), reason);
  }
});

test('scanning.stages is the order of the run, and a stage that is off or not listed does not run', async (t) => {
  const gateway = await startGateway(
    t,
    'scanning:\n  stages:\n    - name: toxicity_scanner\n    - name: pii_scanner\n' +
      '    - {name: hallucination_detector, enabled: false}\n',
  );
  const { body } = await gateway.scan({ response: INJECTION_TEXTS.sql_injection });
  const stages = at(body, 'data.stages') as { readonly name: string }[];
  assert.deepEqual(
    stages.map(({ name }) => name),
    ['toxicity_scanner', 'pii_scanner'],
  );
  assert.equal(at(body, 'data.scores.injection'), null);
});

test('stage_config.injection_scanner.enabled false turns the stage off', async (t) => {
  const gateway = await startGateway(t, 'stage_config: {injection_scanner: {enabled: false}}');
  assert.equal((await gateway.scan({ response: INJECTION_TEXTS.sql_injection })).status, 200);
});

test('stage_config.toxicity_scanner.confidence_threshold decides from where a category is reported', async (t) => {
  const text = (least: number) =>
    `stage_config: {toxicity_scanner: {confidence_threshold: ${least}, threshold: 1}}`;
  const response = 'I will stab you when you come home.';
  const low = await (await startGateway(t, text(0.6))).scan({ response });
  const high = await (await startGateway(t, text(0.8))).scan({ response });
  assert.deepEqual(typesOf(low), ['violence']);
  assert.equal(at(low.body, 'data.verdict'), 'flagged');
  assert.deepEqual(typesOf(high), []);
});

for (const [stage, field] of [
  ['truth_scan', 'prompt'],
  ['output_truth_scanner', 'response'],
] as const) {
  test(`stage_config.${stage}.similarity_threshold decides which statements are evidence`, async (t) => {
    const file = join(temporaryFolder(t).path, 'knowledge.json');
    writeFileSync(file, JSON.stringify(['The Eiffel Tower was completed in 1889.']));
    const env = { PROBITY_GATEWAY_KNOWLEDGE_FILE: file };
    const statusWith = async (similarity: number) => {
      const text =
        `scanning: {stages: [{name: ${stage}}]}\n` +
        `stage_config: {${stage}: {similarity_threshold: ${similarity}}}`;
      const gateway = await startGateway(t, text, { env });
      const claim = 'The Eiffel Tower was finally completed around 1925.';
      return (await gateway.scan({ response: 'Yes.', [field]: claim })).status;
    };
    assert.equal(await statusWith(0.7), 403);
    assert.equal(await statusWith(0.99), 200);
  });
}

test('allowlists.pii_exceptions.patterns hide the values that they match whole, and no others', async (t) => {
  const gateway = await startGateway(
    t,
    "allowlists: {pii_exceptions: {patterns: ['.*@example\\.com', '536-22-8145']}}",
  );
  const { body } = await gateway.scan({
    response: 'bob@example.com, eve@example.com.evil.net, 536-22-8145',
  });
  assert.deepEqual(
    (at(body, 'data.findings') as { readonly start: number }[]).map(({ start }) => start),
    [17],
  );
});

test('redacted texts are answered to those who ask for them, in place of a refusal', async (t) => {
  const gateway = await startGateway(t);
  const { status, body } = await gateway.scan({
    response: PII_TEXTS.ssn,
    redaction: 'placeholder',
  });
  assert.equal(status, 200);
  assert.equal(at(body, 'data.redacted.response'), 'Her SSN is [SSN_1].');
  const injected = await gateway.scan({
    response: INJECTION_TEXTS.sql_injection,
    redaction: 'mask',
  });
  assert.equal(injected.status, 403);
});

test('the gateway flags a hallucination by default, and blocks it with the action block', async (t) => {
  const statusOf = async (keys: string) => {
    const { scan } = await startGateway(t, `stage_config: {hallucination_detector: {${keys}}}`);
    const { status, body } = await scan(HALLUCINATION);
    return [status, at(body, status === 200 ? 'data.verdict' : 'governance.verdict')];
  };
  assert.deepEqual(await statusOf(''), [200, 'flagged']);
  assert.deepEqual(await statusOf('threshold: 0.1'), [200, 'flagged']);
  assert.deepEqual(await statusOf('action: block'), [403, 'blocked']);
  assert.deepEqual(await statusOf('action: block, threshold: 1'), [200, 'flagged']);
});
