import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roundsOf } from '@probity/test-support/combinations';
import fc from 'fast-check';
import {
  BUILT_IN_STAGES,
  builtInPolicyRules,
  createGuard,
  parsePolicies,
  STAGE_NAMES,
} from '../src/index.ts';

const rule = { stage: 'pii_scanner', types: ['ssn'], threshold: 0.5, action: 'block' };
const policy = { id: 'p', name: 'P', rules: [rule] };

const WRONG: ReadonlyArray<readonly [string, unknown, RegExp]> = [
  ['an object in place of a list', policy, /^policies: expected a list of policies; got object/],
  ['a text as policy', ['p'], /^policies\.0: expected an object with id, name, enabled, rules/],
  ['no id', [{ ...policy, id: '' }], /^policies\.0\.id: expected a text/],
  ['two policies of one id', [policy, policy], /^policies\.1\.id: "p" is the id of another/],
  ['an unknown member', [{ ...policy, rule: [] }], /^policies\.0\.rule: is not known/],
  ['a text as enabled', [{ ...policy, enabled: 'no' }], /^policies\.0\.enabled: expected true or/],
  ['no rules', [{ id: 'p', name: 'P' }], /^policies\.0\.rules: expected a list of rules/],
  [
    'a misspelt stage',
    [withRule({ stage: 'pii' })],
    /rules\.0\.stage: expected one of truth_scan, .*"pii"/,
  ],
  [
    'a misspelt action',
    [withRule({ action: 'blok' })],
    /rules\.0\.action: expected one of .*"blok"/,
  ],
  [
    'a type in capitals',
    [withRule({ types: ['SSN'] })],
    /rules\.0\.types\.0: expected one of ssn, /,
  ],
  [
    'a type of another stage',
    [withRule({ types: ['canary'] })],
    /rules\.0\.types\.0: expected one of ssn/,
  ],
  [
    'no type in the list',
    [withRule({ types: [] })],
    /rules\.0\.types: expected a list of at least/,
  ],
  [
    'a threshold in percent',
    [withRule({ threshold: 60 })],
    /rules\.0\.threshold: expected a number from/,
  ],
  ['a threshold that is no number', [withRule({ threshold: Number.NaN })], /rules\.0\.threshold/],
];

function withRule(changes: object): object {
  return { ...policy, rules: [{ ...rule, ...changes }] };
}

for (const [name, policies, message] of WRONG) {
  test(`policies with ${name} are refused by parsePolicies and createGuard`, () => {
    const error = { name: 'PipelineConfigError', message };
    assert.throws(() => parsePolicies(policies), error);
    assert.throws(() => createGuard({ policies: policies as never }), error);
  });
}

test('the built-in rules and every stage with every type it reports are accepted', () => {
  parsePolicies([{ id: 'built_in', name: 'Built in', rules: builtInPolicyRules() }]);
  const rules = BUILT_IN_STAGES.map(({ name, types }) => ({ stage: name, types, action: 'flag' }));
  assert.equal(parsePolicies([{ id: 'all', name: 'All', enabled: true, rules }]).length, 1);
});

test('types of a stage of your own are accepted when they are named', () => {
  const policies = [withRule({ types: ['badge_number'] })];
  assert.equal(parsePolicies(policies, { types: { pii_scanner: ['badge_number'] } }).length, 1);
});

test('no junk is accepted as a rule that blocks nothing', async () => {
  const response = 'Her SSN is 536-22-8145.';
  const junk = fc.record(
    {
      stage: fc.oneof(fc.anything(), fc.constantFrom(...STAGE_NAMES)),
      types: fc.anything(),
      threshold: fc.anything(),
      action: fc.oneof(fc.anything(), fc.constant('block')),
    },
    { requiredKeys: ['stage'] },
  );
  await fc.assert(
    fc.asyncProperty(junk, async (wrong) => {
      const rules = [wrong, { stage: 'pii_scanner', action: 'block' }];
      const policies = [{ id: 'p', name: 'P', rules }];
      try {
        parsePolicies(policies);
      } catch {
        return;
      }
      const { verdict } = await createGuard({ policies: policies as never }).check({ response });
      const allows = wrong.stage === 'pii_scanner' && wrong.action !== 'block';
      assert.ok(verdict === 'blocked' || allows, JSON.stringify(wrong));
    }),
    { numRuns: roundsOf(300) },
  );
});

test('the error of an unknown type lists ten types, the likeliest first', () => {
  const rules = [{ stage: 'pii_scanner', types: ['phone'], action: 'flag' }];
  const policies = [{ id: 'own', name: 'Own', rules }];
  assert.throws(() => parsePolicies(policies), {
    message: new RegExp(
      '^policies\\.0\\.rules\\.0\\.types\\.0: expected one of phone_number, ssn(, \\w+){8} and \\d+ more; ' +
        'got "phone"\\. Did you mean phone_number\\?$',
    ),
  });
});
