import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BUILT_IN_STAGES, MODEL_PII_TYPES, NATIONAL_ID_TYPES } from '@probity/pipeline';
import { OPTIONAL_PII_TYPES, PII_PATTERNS, SECRETS, STAGES } from '../../src/config/stage-names.ts';
import { PII_TEXTS } from '../texts.ts';
import { startGateway, typesOf } from '../world.ts';

const NHS = { response: 'NHS number: 943 476 5919' };
const keys = (options: string) => `stage_config: {pii_scanner: {${options}}}`;

test('stages and types that a file may name are those of the pipeline', () => {
  const typesIn = (name: string) =>
    [...(BUILT_IN_STAGES.find((stage) => stage.name === name)?.types ?? [])].sort();
  assert.deepEqual([...STAGES].sort(), BUILT_IN_STAGES.map(({ name }) => name).sort());
  assert.deepEqual([...OPTIONAL_PII_TYPES].sort(), [...NATIONAL_ID_TYPES].sort());
  assert.deepEqual(
    [...PII_PATTERNS, ...OPTIONAL_PII_TYPES, ...MODEL_PII_TYPES].sort(),
    typesIn('pii_scanner'),
  );
  assert.deepEqual([...SECRETS].sort(), typesIn('secrets_scanner'));
});

test('stage_config.pii_scanner.optional_types are looked for where they are listed, beside the seven', async (t) => {
  const off = await startGateway(t);
  const on = await startGateway(t, keys('optional_types: [gb_nhs_number]'));
  assert.ok(!typesOf(await off.scan(NHS)).includes('gb_nhs_number'));
  const found = await on.scan(NHS);
  assert.deepEqual([found.status, typesOf(found)], [403, ['gb_nhs_number']]);
  assert.deepEqual(typesOf(await on.scan({ response: PII_TEXTS.ssn })), ['ssn']);
  const series = /gateway_pii_detections_total\{type="gb_nhs_number"\} /;
  assert.match(await on.metrics(), /gateway_pii_detections_total\{type="gb_nhs_number"\} 1/);
  assert.doesNotMatch(await off.metrics(), series);
});

test('optional types do not depend on the switches of patterns, and obey the exceptions', async (t) => {
  const iban = { response: PII_TEXTS.bank_account };
  const text = keys('patterns: {bank_account: false}, optional_types: [iban]');
  assert.deepEqual(typesOf(await (await startGateway(t, text)).scan(iban)), ['iban']);
  const exempt = `${text}\nallowlists: {pii_exceptions: {patterns: ['DE89 3704 0044 0532 0130 00']}}`;
  assert.deepEqual(typesOf(await (await startGateway(t, exempt)).scan(iban)), []);
});
