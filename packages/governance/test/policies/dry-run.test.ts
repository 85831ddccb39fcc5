import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallContext } from '@probity/core';
import { OUTSIDE_REQUEST } from '@probity/core';
import type { Pipeline, PolicyRule } from '@probity/pipeline';
import { createPipeline, STAGE_NAMES } from '@probity/pipeline';
import { sampleTargets } from '@probity/test-support/combinations';
import fc from 'fast-check';
import { scanFixture } from '../../src/fixtures.ts';
import type { ScanRequest } from '../../src/index.ts';
import { createApi } from '../api.ts';
import type { World } from '../world.ts';
import { BENIGN, CARD, createWorld, EMAIL, INJECTION, SSN, targets } from '../world.ts';

const PARTS = [
  BENIGN,
  `Write to ${EMAIL}.`,
  `Card ${CARD}`,
  `My social security number is ${SSN}.`,
  INJECTION,
  "'; DROP TABLE users; -- ",
  'You are a worthless idiot and everyone hates you.',
];

const rule = fc.record(
  {
    stage: fc.constantFrom('pii_scanner', 'injection_scanner', 'toxicity_scanner'),
    threshold: fc.constantFrom(0, 0.3, 0.5, 0.6, 0.9),
    action: fc.constantFrom('allow', 'flag', 'redact', 'block'),
  },
  { requiredKeys: ['stage', 'action'] },
) as fc.Arbitrary<PolicyRule>;
const typed = fc.record({
  stage: fc.constant('pii_scanner'),
  types: fc.subarray(['email', 'ssn', 'credit_card'], { minLength: 1 }),
  threshold: fc.constantFrom(0.3, 0.6),
  action: fc.constantFrom('allow', 'flag', 'redact', 'block'),
}) as fc.Arbitrary<PolicyRule>;
const rulesArbitrary = fc.array(fc.oneof(rule, typed), { maxLength: 4 });

interface Call {
  readonly request: ScanRequest;
  readonly context: CallContext;
}

/** Scans all, tries the rules, puts them in force, scans all again: the verdicts must be those of the dry run. */
async function compare(
  { scans, dryRuns, policies, context }: World,
  calls: readonly Call[],
  rules: readonly PolicyRule[],
  policyId?: string,
): Promise<void> {
  const first = [];
  for (const call of calls) first.push((await scans.scan(call.context, call.request)).scan);
  const run = await dryRuns.dryRun(context, { rules, policyId, last: calls.length });
  if (policyId) await policies.update(context, policyId, { rules, mode: 'enforce', enabled: true });
  const { id } = policyId ? { id: policyId } : await policies.create(context, { name: 'x', rules });
  const after = { allowed: 0, flagged: 0, blocked: 0 };
  const changes: unknown[] = [];
  for (const [index, call] of calls.entries()) {
    const { scan } = await scans.scan(call.context, call.request);
    after[scan.verdict] += 1;
    const before = first[index];
    if (scan.verdict === before?.verdict) continue;
    const reason = scan.violation?.reason ?? null;
    changes.push([before?.id, before?.verdict, scan.verdict, reason]);
  }
  assert.deepEqual(run.after, after);
  assert.equal(run.changed, changes.length);
  const sorted = (list: unknown[]) => list.map((each) => JSON.stringify(each)).sort();
  assert.deepEqual(
    sorted(run.changes.map((each) => [each.scanId, each.before, each.after, each.reason])),
    sorted(changes),
  );
  if (!policyId) await policies.remove(context, id);
}

const single = (context: CallContext, texts: readonly string[]): Call[] =>
  texts.map((response) => ({ context, request: { response } }));

test('a dry run is equal to what the rules then do', async (t) => {
  const world = await createWorld(t);
  const texts = fc.array(fc.subarray(PARTS, { minLength: 1, maxLength: 3 }), {
    minLength: 1,
    maxLength: 6,
  });
  const property = fc.asyncProperty(texts, rulesArbitrary, async (contents, rules) => {
    const joined = contents.map((parts) => parts.join('\n'));
    await compare(world, single(world.context, joined), rules);
  });
  await fc.assert(property, { numRuns: 40 });
});

for (const target of sampleTargets(targets)) {
  test(`${target.name}: a dry run of another version of a policy is equal, for named policies, keys, modes and many findings`, async (t) => {
    const world = await createWorld(t, { target });
    const { context, policies } = world;
    const block = [{ stage: 'pii_scanner', action: 'block' }] as const;
    const bound = await policies.create(context, { name: 'b', keyIds: ['key_chat'], rules: block });
    const named = await policies.create(context, { name: 'n', default: false, rules: block });
    await policies.create(context, { name: 'm', mode: 'monitor', rules: block });
    const chat = { ...context, principal: { ...context.principal, keyId: 'key_chat' } };
    const many = Array.from({ length: 1_200 }, (_, n) => `user${n}@example.org`).join(' ');
    const contents = [...PARTS, `${many} ${CARD}`, ''].map((text) => text || 'Yes.');
    const requests = contents.flatMap((response): ScanRequest[] => [
      { response },
      { response, policyIds: [named.id] },
      { prompt: response, response: BENIGN, policyIds: ['pol_builtin', bound.id] },
    ]);
    const calls = [context, chat].flatMap((each) =>
      requests.map((request) => ({ context: each, request })),
    );
    for (const id of ['pol_builtin', bound.id, named.id]) {
      await compare(
        world,
        calls,
        [{ stage: 'pii_scanner', types: ['email'], action: 'redact' }],
        id,
      );
      await compare(world, calls, [{ stage: 'injection_scanner', action: 'block' }], id);
    }
  });
}

test('a dry run is equal for findings that are not listed and for stages that do not finish', async (t) => {
  const failing = (failOpen: boolean): Pipeline =>
    createPipeline(
      { stages: STAGE_NAMES.slice(1, 4).map((name) => ({ name, failOpen })), maxFindings: 3 },
      {
        stages: {
          toxicity_scanner: () => ({
            name: 'toxicity_scanner',
            targets: ['response'],
            run: () => Promise.reject(new Error('the model is not loaded')),
          }),
        },
      },
    );
  const many = Array.from({ length: 9 }, (_, n) => `user${n}@example.org`).join(' ');
  for (const failOpen of [true, false]) {
    const world = await createWorld(t, { pipeline: failing(failOpen) });
    const calls = single(world.context, [BENIGN, many]);
    await compare(world, calls, [{ stage: 'pii_scanner', types: ['email'], action: 'redact' }]);
    await compare(world, calls, []);
  }
});

test('a dry run takes the newest scans, or those since a time, and lists at most 50 changes', async (t) => {
  const { request, context, storage, clock } = await createApi(t);
  const { organizationId } = context.principal;
  const finding = scanFixture({ id: 'x', organizationId }).findings[0];
  assert.ok(finding);
  await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
    for (let number = 100; number < 700; number += 1) {
      await tx.insertScan(
        scanFixture({
          ...{ id: `scn_${number}`, organizationId, verdict: 'flagged', violation: null },
          ...{ facts: null, namedPolicyIds: null, scores: { pii: 0.5 } as never },
          findings: [{ ...finding, type: 'email', score: 0.99, action: 'flag' }],
          createdAt: new Date(clock.now().getTime() + number),
        }),
      );
    }
  });
  const rules = [{ stage: 'pii_scanner', action: 'block' }];
  const path = '/governance/policies/dry-run';
  const { body: newest } = await request('POST', path, { rules, last: 70 });
  assert.deepEqual(newest.data.before, { allowed: 0, flagged: 70, blocked: 0 });
  assert.deepEqual(newest.data.after, { allowed: 0, flagged: 0, blocked: 70 });
  assert.deepEqual(
    [newest.data.scans, newest.data.changed, newest.data.isComplete],
    [70, 70, true],
  );
  assert.equal(newest.data.changes.length, 50);
  assert.deepEqual(newest.data.changes[0], {
    ...{ scanId: 'scn_699', createdAt: '2026-01-01T00:00:00.699Z', before: 'flagged' },
    ...{ after: 'blocked', reason: 'pii_scanner found email' },
  });
  const since = '2026-01-01T01:00:00.300+01:00';
  const { body: later } = await request('POST', path, { rules, since }, 'viewer');
  assert.equal(later.data.scans, 400);
  assert.equal((await request('POST', path, { rules })).body.data.scans, 600);
  const { body: strangers } = await request('POST', path, { rules }, 'stranger');
  assert.equal(strangers.data.scans, 0);
});

test('a dry run names every bad field, and an unknown policy is 404', async (t) => {
  const { request } = await createApi(t);
  const path = '/governance/policies/dry-run';
  const rules = [{ stage: 'pii_scaner', action: 'block' }];
  for (const [body, fields] of [
    [{}, ['rules']],
    [{ rules: [], last: 0, since: 'now', verdict: 'x' }, ['last', 'since', 'verdict']],
    [{ rules: [], last: 100_001 }, ['last']],
    [{ rules: [], last: 1, since: '2026-01-01T00:00:00Z' }, ['since']],
    [{ rules }, ['rules.0.stage']],
  ] as const) {
    const answer = await request('POST', path, body);
    assert.equal(answer.status, 422);
    const named = answer.body.error.details.map(({ field }: { field: string }) => field);
    assert.deepEqual(named.sort(), [...fields].sort());
  }
  assert.equal((await request('POST', path, { rules: [], policyId: 'pol_x' })).status, 404);
});
