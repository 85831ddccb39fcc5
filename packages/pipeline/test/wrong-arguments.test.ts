import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  builtInPolicyRules,
  createGuard,
  createGuardTransform,
  createPipeline,
  createRedactor,
  createStreamScanner,
  defineStage,
  evaluatePolicies,
  guardStream,
  parsePolicies,
} from '../src/index.ts';
import { createConfiguredPipeline } from '../src/settings/index.ts';
import { similarity } from '../src/similarity.ts';
import { guardMiddleware } from '../src/wrappers/ai-sdk.ts';

const pipeline = createPipeline({ stages: [{ name: 'pii_scanner' }] });
const input = { response: 'Her SSN is 536-22-8145.' };
const result = await pipeline.scan(input);
const policyOf = (rule: object) => [{ id: 'a', name: 'A', rules: [rule] }];
const decide = (rule: object) => evaluatePolicies(policyOf(rule) as never, result, input);
const nothing = (async function* () {})();

/** What is called wrongly, and what the error says. */
const CASES: readonly (readonly [() => unknown, RegExp])[] = [
  [
    () => decide({ stage: 'pii_scaner', action: 'block' }),
    /^policies\.0\.rules\.0\.stage: .*Did you mean pii_scanner\?$/,
  ],
  [
    () => decide({ stage: 'pii_scanner', action: 'blok' }),
    /^policies\.0\.rules\.0\.action: .*Did you mean block\?$/,
  ],
  [
    () => decide({ stage: 'pii_scanner', types: ['SSN'], action: 'block' }),
    /^policies\.0\.rules\.0\.types\.0: .*Did you mean ssn\?$/,
  ],
  [
    () => decide({ stage: 'pii_scanner', threshold: 60, action: 'block' }),
    /^policies\.0\.rules\.0\.threshold: .*got 60$/,
  ],
  [() => evaluatePolicies('none' as never, result, input), /^policies: expected a list/],
  [() => evaluatePolicies([], null as never, input), /^evaluatePolicies: result .*got null\.$/],
  [() => evaluatePolicies([], result, null as never), /^evaluatePolicies: input .*got null\.$/],
  [() => evaluatePolicies([], result, input, {} as never), /^evaluatePolicies: redactor/],
  [() => builtInPolicyRules(7 as never), /^builtInPolicyRules: pipeline/],
  [() => createRedactor(7 as never), /^createRedactor: expected an object/],
  [
    () => createRedactor({ stile: 'mask' } as never),
    /^createRedactor: stile .*Did you mean style\?$/,
  ],
  [
    () => createRedactor({ style: 'tok' as never }),
    /^createRedactor: style .*Did you mean token\?$/,
  ],
  [() => createRedactor({ styles: 'mask' as never }), /^createRedactor: styles .*got string\.$/],
  [
    () => createRedactor({ styles: { email: 7 as never } }),
    /^createRedactor: styles\.email .*got number\.$/,
  ],
  [() => createRedactor({ randomBytes: 7 as never }), /^createRedactor: randomBytes/],
  [() => createRedactor().redact(7 as never, []), /^redact: text .*got number\.$/],
  [() => createRedactor().redact('a', 7 as never), /^redact: marks .*got number\.$/],
  [() => createRedactor().redact('a', [null as never]), /^redact: marks\.0\.type .*undefined\.$/],
  [
    () => createRedactor().redact('a', [{ type: 'ssn', score: 1, start: -1, end: 1 }]),
    /^redact: marks\.0\.start must be a whole number from 0; got -1\.$/,
  ],
  [
    () => createStreamScanner(pipeline).redact([{ type: 'ssn', score: 1, start: 2, end: 1 }]),
    /^redact: marks\.0\.end must be a whole number from its start; got 1\.$/,
  ],
  [() => createStreamScanner(null as never), /^createStreamScanner: pipeline/],
  [
    () => createStreamScanner(pipeline, { polices: [] } as never),
    /^createStreamScanner: polices .*Did you mean policies\?$/,
  ],
  [
    () =>
      createStreamScanner(pipeline, {
        policies: policyOf({ stage: 'pi', action: 'flag' }) as never,
      }),
    /^policies\.0\.rules\.0\.stage: /,
  ],
  [
    () => createStreamScanner(pipeline, { redactor: {} as never }),
    /^createStreamScanner: redactor/,
  ],
  [
    () => createStreamScanner(pipeline, { signal: 7 as never }),
    /^createStreamScanner: options\.signal/,
  ],
  [() => createStreamScanner(pipeline).feed(7 as never), /^feed: expected a text; got number\.$/],
  [() => createStreamScanner(pipeline).end(7 as never), /^end: expected a text; got number\.$/],
  [() => guardStream(nothing, { guard: 7 as never }), /^guardStream: guard .*got number\.$/],
  [() => guardStream(nothing, { prompt: 7 as never }), /^guardStream: prompt .*got number\.$/],
  [() => guardStream(nothing, { system: null as never }), /^guardStream: system .*got null\.$/],
  [
    () => guardStream(nothing, { context: 'a' as never }),
    /^guardStream: context .*got string; put one text in brackets: \[text\]\.$/,
  ],
  [
    () => guardStream(nothing, { context: ['a', undefined as never] }),
    /^guardStream: context\.1 must be a string; got undefined\.$/,
  ],
  [() => guardStream(nothing, { signal: {} as never }), /^guardStream: options\.signal/],
  [() => guardStream(nothing, { scanned: null as never }), /^guardStream: options\.scanned/],
  [() => guardStream(nothing, null as never), /^guardStream: expected an object .*got null\.$/],
  [() => createStreamScanner(pipeline, { prompt: 7 as never }), /^createStreamScanner: prompt /],
  [() => createGuard({ pool: {} as never }), /^createGuard: pool must be made by createScanPool/],
  [
    () => pipeline.scan({ response: '', context: new Array(1) }),
    /^input\.context\.0 must be a string/,
  ],
  [() => createPipeline({ stages: new Array(1) }), /^stages\[0\]/],
  [() => createGuard({ policies: new Array(1) }), /^policies\.0: /],
  [
    () => createGuard({ policies: [{ id: 'a', name: 'A', rules: new Array(1) }] }),
    /^policies\.0\.rules\.0: /,
  ],
  [
    () => createGuard().check({ messages: new Array(1) }),
    /^messages\.0: expected an object; got undefined$/,
  ],
  [
    () => createGuard().check({ messages: [{ role: 'user', content: new Array(1) }] }),
    /^messages\.0\.content\.0: expected an object; got undefined$/,
  ],
  // What may be a message stands in no error.
  [
    () => createGuard().check({ messages: 'my pin is 4711' as never }),
    /^messages: .*; got string$/,
  ],
  [
    () =>
      createGuard().check({ messages: [{ role: 'user', content: 'a' }], context: '4711' as never }),
    /^context: .*; got string$/,
  ],
  [
    () => createGuard().check({ messages: [{ role: 'usr', content: 'a' }] }),
    /^messages\.0\.role: .*; got "usr"$/,
  ],
  [() => createGuardTransform({ redactor: {} as never }), /^guardStream: redactor/],
  [() => guardMiddleware({ guard: {} as never }), /^guardMiddleware: guard .*got object\.$/],
  [
    () => createPipeline({}, { onStageEror() {} } as never),
    /^dependencies\.onStageEror: .*Did you mean onStageError\?$/,
  ],
  [
    () => createPipeline({}, { onBackendError: 7 as never }),
    /^dependencies\.onBackendError: expected a function; got number$/,
  ],
  [
    () => createPipeline({}, { judge: {} as never }),
    /^dependencies\.judge: .*the method judge; got object$/,
  ],
  [
    () => createPipeline({}, { embedder: 7 as never }),
    /^dependencies\.embedder: .*the method embed; got number$/,
  ],
  [
    () => createPipeline({}, { classifiers: { toxicity_scanner: 7 as never } }),
    /^dependencies\.classifiers\.toxicity_scanner: .*classify/,
  ],
  [() => createConfiguredPipeline(7 as never), /^settings: expected an object; got 7$/],
  [() => similarity('a', 7 as never), /^similarity: expected two texts; got number\.$/],
];

describe('wrong arguments', () => {
  for (const [call, message] of CASES) {
    it(`wrong arguments are refused by name: ${String(call).slice(6)}`, async () => {
      await assert.rejects(async () => call(), { message });
    });
  }

  it('wrong arguments are not the further members of an object with back ends', () => {
    const made = { close: async () => {}, pool: 7 };
    assert.deepEqual(createPipeline({}, made as never).stages.length, 4);
  });
});

describe('policies that are evaluated', () => {
  const badges = defineStage({
    name: 'badge_scanner',
    types: ['badge'],
    reads: ['response'],
    run: ({ report }) => report({ type: 'badge', score: 1, field: 'response', start: 0, end: 1 }),
  });
  const own = createPipeline({ stages: [badges] });
  const rule = (types: readonly string[]) =>
    policyOf({ stage: 'badge_scanner', types, action: 'block' }) as never;

  it('policies that are evaluated may be about the stages of the scan, with the types that these report', async () => {
    const scanned = await own.scan({ response: 'x' });
    assert.equal(evaluatePolicies(rule(['badge']), scanned, input).verdict, 'blocked');
    assert.throws(() => evaluatePolicies(rule(['bage']), scanned, input), /Did you mean badge\?/);
    assert.throws(() => evaluatePolicies(rule(['badge']), result, input), /rules\.0\.stage: /);
  });

  it('policies that are evaluated are not checked again where parsePolicies has returned them', () => {
    const parsed = parsePolicies(rule(['badge']), { pipeline: own });
    assert.equal(evaluatePolicies(parsed, result, input).verdict, 'allowed');
    const { rules, ...policy } = parsed[0] as (typeof parsed)[number];
    const changed = [{ ...policy, rules: [{ ...rules[0], action: 'blok' }] }] as never;
    assert.throws(() => evaluatePolicies(changed, result, input), /rules\.0\.(stage|action): /);
  });

  it('policies that are evaluated may be about types that the options of a stage add', async () => {
    const custom = [{ type: 'staff_id', pattern: { source: 'E\\d{6}' } }];
    const stages = [{ name: 'pii_scanner' as const, options: { custom } }];
    const scanned = await createPipeline({ stages }).scan({ response: 'E123456' });
    const rules = policyOf({ stage: 'pii_scanner', types: ['staff_id'], action: 'block' }) as never;
    assert.equal(evaluatePolicies(rules, scanned, input).verdict, 'blocked');
  });
});
