import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OwnFinding, OwnStage } from '../src/index.ts';
import {
  builtInPolicyRules,
  createGuard,
  createPipeline,
  createRedactor,
  createStreamScanner,
  defineStage,
  evaluatePolicies,
  parsePolicies,
} from '../src/index.ts';
import { pii } from '../src/pii/index.ts';

const BADGE = /\bB-\d{6}\b/g;
const STAGE: OwnStage<{ readonly least: number }> = {
  name: 'badge_scanner',
  score: 'badges',
  types: ['badge_number', 'badge_list'],
  reads: ['prompt', 'response'],
  risks: { badge_list: 0.5 },
  options({ least = 0 }) {
    if (typeof least !== 'number') throw new Error('least: expected a number');
    return { least };
  },
  run({ fields, report, options: { least } }) {
    for (const { field, text } of fields) {
      for (const { index: start, 0: badge } of text.matchAll(BADGE)) {
        if (Number(badge.slice(2)) < least) continue;
        report({ type: 'badge_number', score: 0.9, field, start, end: start + badge.length });
      }
    }
  },
};
const TEXT = 'Badge B-123456 opens it.';

describe('a stage of one’s own', () => {
  it('a stage of one’s own reports findings with field and offsets beside the others', async () => {
    const pipeline = createPipeline({ stages: [pii(), defineStage(STAGE)] });
    const { findings, scores, stages } = await pipeline.scan({ prompt: TEXT, response: 'ok' });
    const { facts, ...report } = stages[1] ?? {};
    assert.deepEqual(
      { ...report, durationMs: 0 },
      { stage: 'badge_scanner', status: 'ok', durationMs: 0 },
    );
    assert.equal(facts?.score, 'badges');
    assert.deepEqual([scores.badges, scores.pii, scores.toxicity], [0.9, 0, null]);
    const place = { field: 'prompt', start: 6, end: 14, reason: 'found badge_number' };
    const type = 'badge_number';
    assert.deepEqual(findings, [{ type, score: 0.9, ...place, stage: 'badge_scanner' }]);
    const clean = await pipeline.scan({ response: 'ok' });
    assert.equal(clean.scores.badges, 0);
    assert.ok(!('badges' in (await createPipeline().scan({ response: 'ok' })).scores));
  });

  it('a stage of one’s own reports no members that a finding does not have', async () => {
    const chatty = defineStage({
      ...STAGE,
      options: undefined,
      run({ fields: [{ text = '' } = {}], report }) {
        const finding = { type: 'badge_number', score: 1, field: 'response', start: 0, end: 5 };
        report({ ...finding, text, log: () => {} } as unknown as OwnFinding);
      },
    } as OwnStage);
    const { findings } = await createPipeline({ stages: [chatty] }).scan({ response: TEXT });
    assert.deepEqual(Object.keys(findings[0] ?? {}).sort(), [
      ...['end', 'field', 'reason', 'score', 'stage', 'start', 'type'],
    ]);
  });

  it('a stage of one’s own takes options and settings, checked when the pipeline is made', async () => {
    const stage = defineStage(STAGE).with({ least: 200_000, timeoutMs: 50, failOpen: false });
    const { findings } = await createPipeline({ stages: [stage] }).scan({ response: TEXT });
    assert.deepEqual(findings, []);
    const wrong = defineStage(STAGE).with({ least: 'many' });
    assert.throws(() => createPipeline({ stages: [wrong] }), {
      option: 'stages.badge_scanner.options',
      message: 'stages.badge_scanner.options: least: expected a number',
    });
    const twice = [defineStage(STAGE), stage];
    assert.throws(() => createPipeline({ stages: twice }), /badge_scanner is listed twice/);
  });

  it('a stage of one’s own is decided on by policies, which are checked against its types', async () => {
    const pipeline = createPipeline({ stages: [defineStage(STAGE)] });
    const guard = (rule: object) =>
      createGuard({ pipeline, policies: [{ id: 'p', name: 'P', rules: [rule as never] }] });
    const stage = 'badge_scanner';
    const input = { response: TEXT };
    assert.equal((await createGuard({ pipeline }).check(input)).verdict, 'flagged');
    const blocked = await guard({ stage, threshold: 0.8, action: 'block' }).check(input);
    assert.equal(blocked.violation?.code, 'POLICY_BLOCKED');
    assert.equal(blocked.reason, 'badge_scanner found badge_number');
    const redacting = guard({ stage, types: ['badge_number'], action: 'redact' });
    assert.equal((await redacting.check(input)).text, 'Badge [BADGE_NUMBER_1] opens it.');
    assert.throws(() => guard({ stage: 'badgescanner', action: 'block' }), {
      option: 'policies.0.rules.0.stage',
      message: /Did you mean badge_scanner\?$/,
    });
    assert.throws(() => guard({ stage, types: ['badge'], action: 'block' }), {
      option: 'policies.0.rules.0.types.0',
      message: /expected one of badge_number, badge_list; got "badge"/,
    });
    assert.throws(() => guard({ stage, typos: [], action: 'block' }), /Did you mean types\?$/);
    const rules = [{ stage, action: 'flag' }];
    const policies = [{ id: 'p', name: 'P', rules }];
    assert.throws(() => parsePolicies(policies), { option: 'policies.0.rules.0.stage' });
    assert.equal(parsePolicies(policies, { stages: [defineStage(STAGE)] }).length, 1);
    assert.deepEqual(builtInPolicyRules(pipeline).at(-1), rules[0]);
  });

  it('a stage of one’s own may set its score, its code and the risks of its types', async () => {
    const stage = defineStage({
      name: 'access_lists',
      types: ['list'],
      reads: ['system', 'response'],
      risks: { list: 0.5 },
      code: 'PII_DETECTED',
      async run({ fields, report, setScore, checkpoint }) {
        setScore(0.75);
        await checkpoint();
        const [field] = fields.filter(({ text }) => text.includes('list'));
        if (field) report({ type: 'list', score: 1, field: field.field, start: 0, end: 1 });
      },
    });
    const pipeline = createPipeline({ stages: [stage] });
    const decide = async (response: string, threshold: number, types?: string[]) => {
      const rule = { stage: 'access_lists', threshold, action: 'block', ...(types && { types }) };
      const policy = { id: 'p', name: 'P', rules: [rule as never] };
      const input = { response };
      return evaluatePolicies([policy], await pipeline.scan(input), input);
    };
    assert.equal((await decide('nothing', 0.7)).violation?.code, 'PII_DETECTED');
    assert.equal((await decide('nothing', 0.8)).verdict, 'allowed');
    assert.equal((await decide('a list', 0.5, ['list'])).verdict, 'blocked');
    assert.equal((await decide('a list', 0.6, ['list'])).verdict, 'allowed');
    const { findings } = await pipeline.scan({ system: 'a list', response: 'ok' });
    assert.equal(findings[0]?.field, 'system');
  });

  it('a stage of one’s own is part of a stream: what it finds is reported before it is passed on', async () => {
    const pipeline = createPipeline({ stages: [defineStage(STAGE)] });
    const rules = [{ stage: 'badge_scanner', threshold: 0.5, action: 'block' }] as const;
    const scanner = createStreamScanner(pipeline, { policies: [{ id: 'p', name: 'P', rules }] });
    let passed = '';
    for (const part of [`${'Some words. '.repeat(40)}${TEXT}`, ' More words.'.repeat(60)]) {
      const step = await scanner.feed(part);
      passed += step.text;
      if (!step.final) continue;
      assert.equal(step.decision?.verdict, 'blocked');
      assert.ok(!passed.includes('B-123456'));
      return;
    }
    assert.fail('the stream was not blocked');
  });

  it('a stage of one’s own that reports what it may not has failed, and the error says why', async () => {
    const good: OwnFinding = {
      ...{ type: 'badge_number', score: 1, field: 'response', start: 0, end: 2 },
    };
    const cases: [object, RegExp][] = [
      [{ type: 'bagde_number' }, /type is not one of badge_number, badge_list; got bagde_number$/],
      [{ type: 'Jane_Doe' }, /type is not one of badge_number, badge_list; got string$/],
      [{ score: 2 }, /score is not a number from 0 to 1/],
      [{ score: Number.NaN }, /score is not a number/],
      [{ field: 'context' }, /field is not one of those read: response/],
      [{ contextIndex: 0 }, /field is not one of those read/],
      [{ end: 3 }, /start and end is not whole numbers, 0 <= start <= end <= 2/],
      [{ start: 0.5 }, /start and end/],
      [{ start: -1 }, /start and end/],
      [{ reason: 7 }, /reason is not a string/],
    ];
    for (const [change, message] of cases) {
      const errors: unknown[] = [];
      const stage = defineStage({
        ...{ name: STAGE.name, types: STAGE.types, reads: STAGE.reads },
        run: ({ report }) => report({ ...good, ...change }),
      });
      const pipeline = createPipeline(
        { stages: [stage] },
        { onStageError: (error, name) => errors.push(error, name) },
      );
      const { stages, findings } = await pipeline.scan({ response: 'ok' });
      assert.deepEqual([stages[0]?.status, findings], ['failed', []]);
      assert.match(String(errors[0]), message);
      assert.equal(errors[1], 'badge_scanner');
    }
  });

  it('a stage of one’s own that returns findings has failed, in each scan; other values mean nothing', async () => {
    const finding: OwnFinding = {
      ...{ type: 'badge_number', score: 1, field: 'response', start: 0, end: 2 },
    };
    const cases: [(report: (finding: OwnFinding) => void) => unknown, string][] = [
      [() => [finding], 'failed'],
      [() => finding, 'failed'],
      [() => Promise.resolve([undefined, finding]), 'failed'],
      [(report) => [1, 2].map(() => report(finding)), 'ok'],
      [() => false, 'ok'],
      [() => null, 'ok'],
      [() => Promise.all([1, 2].map(async () => {})), 'ok'],
      // biome-ignore lint/suspicious/noThenProperty: what is tested
      [() => ({ then: (resolve: (value: number) => void) => resolve(7) }), 'ok'],
    ];
    for (const [run, status] of cases) {
      const stage = defineStage({
        ...{ name: STAGE.name, types: STAGE.types, reads: STAGE.reads },
        run: ({ report }) => run(report) as undefined,
      });
      const pipeline = createPipeline({ stages: [stage] });
      for (const _ of [1, 2]) {
        const { stages } = await pipeline.scan({ response: 'ok' });
        assert.equal(stages[0]?.status, status, String(run));
        if (status === 'failed')
          assert.match(String(stages[0]?.error), /must give each of them to report/);
      }
    }
  });

  it('a stage of one’s own that reports after its end is told so', async () => {
    let late = () => {};
    const stage = defineStage({
      ...{ name: STAGE.name, types: STAGE.types, reads: STAGE.reads },
      run({ report }) {
        late = () =>
          report({ type: 'badge_number', score: 1, field: 'response', start: 0, end: 1 });
      },
    });
    await createPipeline({ stages: [stage] }).scan({ response: 'ok' });
    assert.throws(late, /badge_scanner reports after its end: run must return a promise/);
  });

  it('a stage of one’s own may have a name that every object has as a member', async () => {
    const stage = defineStage({
      ...{ name: 'constructor', types: ['constructor'], reads: ['response'] },
      run({ report }) {
        report({ type: 'constructor', score: 0.9, field: 'response', start: 0, end: 2 });
      },
    });
    const rule = { stage: 'constructor', types: ['constructor'], threshold: 0.8 } as const;
    const guard = createGuard({
      pipeline: createPipeline({ stages: [stage] }),
      policies: [{ id: 'p', name: 'P', rules: [{ ...rule, action: 'redact' }] }],
    });
    const redactor = createRedactor({ style: 'mask' });
    assert.equal((await guard.check({ response: 'ok then' }, { redactor })).response, '** then');
  });

  it('a stage of one’s own reports whole characters', async () => {
    const stage = defineStage({
      ...{ name: STAGE.name, types: STAGE.types, reads: STAGE.reads },
      run({ report }) {
        for (const [start, end] of [
          [1, 2],
          [4, 5],
        ] as const) {
          report({ type: 'badge_number', score: 1, field: 'response', start, end });
        }
      },
    });
    const { findings } = await createPipeline({ stages: [stage] }).scan({ response: 'a😀b😀' });
    assert.deepEqual(
      findings.map(({ start, end }) => [start, end]),
      [
        [1, 3],
        [4, 6],
      ],
    );
  });

  it('a stage of one’s own is refused where a member is wrong, with the member’s name', () => {
    const cases: [object, RegExp][] = [
      [{ name: 'Badge' }, /defineStage\.name: expected lower-case letters, .*; got "Badge"/],
      [{ name: 'pii_scanner' }, /defineStage\.name: pii_scanner is a stage of this package/],
      [{ score: 'toxicity' }, /defineStage\.score: toxicity is a score of this package/],
      [{ types: [] }, /defineStage\.types: expected a list of at least one type/],
      [{ types: ['Badge number'] }, /defineStage\.types\.0: expected lower-case/],
      [{ reads: ['respons'] }, /defineStage\.reads\.0: .* Did you mean response\?/],
      [{ reads: [] }, /defineStage\.reads: expected a list/],
      [{ reads: new Array(1) }, /defineStage\.reads\.0: expected one of/],
      [{ types: new Array(1) }, /defineStage\.types\.0: expected lower-case/],
      [{ run: 'scan' }, /defineStage\.run: expected a function/],
      [{ options: {} }, /defineStage\.options: expected a function/],
      [{ code: 'BLOCKED' }, /defineStage\.code: expected one of INJECTION/],
      [{ severity: 'hihg' }, /defineStage\.severity: .* Did you mean high\?/],
      [{ risks: { badge: 1 } }, /defineStage\.risks\.badge: unknown option/],
      [{ risks: { badge_list: 7 } }, /defineStage\.risks\.badge_list: expected a number from 0/],
      [{ rules: [{ action: 'blok' }] }, /defineStage\.rules\.0\.action: .* Did you mean block\?/],
      [{ rules: [{ action: 'flag', types: ['x'] }] }, /defineStage\.rules\.0\.types\.0/],
      [{ read: ['response'] }, /defineStage\.read: .* Did you mean reads\?/],
    ];
    for (const [change, message] of cases) {
      const error = { name: 'PipelineConfigError', message };
      assert.throws(() => defineStage({ ...STAGE, ...change } as never), error);
    }
    assert.throws(() => defineStage(null as never), /defineStage: expected an object; got null/);
  });
});
