import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countTurns } from '@probity/test-support';
import type { Stage, StageContext, StageRegistry } from '../src/index.ts';
import {
  createPipeline,
  evaluatePolicies,
  forEachBlock,
  PipelineConfigError,
  ScanCanceledError,
} from '../src/index.ts';

const FINDING = {
  type: 'insult',
  score: 0.9,
  field: 'response',
  start: 0,
  end: 1,
  reason: 'r',
} as const;

/** A pipeline whose only stage is `run`, on a clock that the test turns. */
function createWorld(run: (context: StageContext, clock: { ms: number }) => unknown) {
  const clock = { ms: 0 };
  const yields = { count: 0 };
  const timers: (() => void)[] = [];
  const stage: Stage = {
    name: 'toxicity_scanner',
    targets: ['response'],
    run: (context) => run(context, clock) as Promise<void> | undefined,
  };
  const make = (failOpen: boolean, timeoutMs = 100) =>
    createPipeline(
      { stages: [{ name: 'toxicity_scanner', failOpen, timeoutMs }, { name: 'pii_scanner' }] },
      {
        stages: { toxicity_scanner: () => stage },
        now: () => clock.ms,
        yieldToLoop: async () => {
          yields.count++;
        },
        startTimer: (fire) => {
          timers.push(fire);
          return () => {};
        },
      },
    );
  return { make, clock, yields, timers };
}

describe('createPipeline', () => {
  const refused: [string, unknown, string][] = [
    ['an unknown option', { stage: [] }, 'config.stage'],
    ['stages that are no list', { stages: {} }, 'stages'],
    ['an unknown stage', { stages: [{ name: 'nsa_scanner' }] }, 'stages[0].name'],
    [
      'a stage twice',
      { stages: [{ name: 'pii_scanner' }, { name: 'pii_scanner' }] },
      'stages[1].name',
    ],
    [
      'knowledge that is no list',
      { stages: [{ name: 'truth_scan', options: { knowledge: 'x' } }] },
      'stages.truth_scan.options.knowledge',
    ],
    [
      'a nugget without a claim',
      { stages: [{ name: 'output_truth_scanner', options: { knowledge: ['x', { id: 'n1' }] } }] },
      'stages.output_truth_scanner.options.knowledge[1]',
    ],
    [
      'protected texts that are no strings',
      { stages: [{ name: 'contamination_check', options: { protected: [1] } }] },
      'stages.contamination_check.options.protected[0]',
    ],
    [
      'an option of a stage without any',
      { stages: [{ name: 'hallucination_detector', options: { strict: true } }] },
      'stages.hallucination_detector.options.strict',
    ],
    ['a budget of 0', { stages: [{ name: 'pii_scanner', timeoutMs: 0 }] }, 'stages[0].timeoutMs'],
    [
      'failOpen in words',
      { stages: [{ name: 'pii_scanner', failOpen: 'yes' }] },
      'stages[0].failOpen',
    ],
    [
      'a switch for an unknown type',
      { stages: [{ name: 'pii_scanner', options: { patterns: { iban: true } } }] },
      'stages.pii_scanner.options.patterns.iban',
    ],
    [
      'a switch that is no boolean',
      { stages: [{ name: 'injection_scanner', options: { types: { sql_injection: 1 } } }] },
      'stages.injection_scanner.options.types.sql_injection',
    ],
  ];
  for (const [name, config, option] of refused) {
    it(`createPipeline refuses ${name}, naming the option`, () => {
      assert.throws(
        () => createPipeline(config as never),
        (error) => error instanceof PipelineConfigError && error.option === option,
      );
    });
  }

  it('createPipeline refuses a replacement of a stage that there is not, naming those there are', () => {
    for (const name of ['truth_scanner', 'secrets']) {
      const stages = { [name]: () => ({}) as Stage } as StageRegistry;
      assert.throws(
        () => createPipeline({}, { stages }),
        /dependencies\.stages\.\w+: is none of truth_scan, pii_scanner/,
      );
    }
  });

  it('createPipeline accepts an unregistered stage as long as it is disabled', () => {
    const config = { stages: [{ name: 'truth_scan', enabled: false } as const] };
    assert.deepEqual(createPipeline(config).stages, []);
  });

  it('createPipeline returns a frozen snapshot that later changes of the configuration do not affect', async () => {
    const options = { patterns: { email: false } };
    const pipeline = createPipeline({ stages: [{ name: 'pii_scanner', options }] });
    options.patterns.email = true;
    assert.ok(Object.isFrozen(pipeline) && Object.isFrozen(pipeline.stages));
    const { findings } = await pipeline.scan({ response: 'jane@example.com' });
    assert.deepEqual(findings, []);
  });
});

describe('scan', () => {
  it('scan names field and place of each finding in prompt, response and context', async () => {
    const { findings, scores } = await createPipeline().scan({
      prompt: 'mail a@example.com',
      response: 'mail b@example.com',
      context: ['none', 'mail c@example.com'],
    });
    const places = findings.map(({ field, contextIndex, start, end }) => [
      field,
      contextIndex,
      start,
      end,
    ]);
    assert.deepEqual(places, [
      ['prompt', undefined, 5, 18],
      ['response', undefined, 5, 18],
      ['context', 1, 5, 18],
    ]);
    assert.equal(scores.pii, 0.49);
    assert.ok((scores.injection ?? 1) < 0.3 && (scores.toxicity ?? 1) < 0.6);
  });

  it('scan returns a risk of at least 0.95 to an SSN together with a card number', async () => {
    const { scores } = await createPipeline().scan({
      response: 'SSN 536-22-8726 and card 4111 1111 1111 1111',
    });
    assert.ok((scores.pii ?? 0) >= 0.95);
  });

  it('scan never repeats the matched text in a reason', async () => {
    const { findings } = await createPipeline().scan({
      response: "SSN 536-22-8726, ' OR '1'='1, jane@example.com",
    });
    assert.ok(findings.length >= 3);
    for (const { reason } of findings) assert.doesNotMatch(reason, /536|jane|1'='1/);
  });

  it('scan reports offsets in the original of a text of many blocks, each finding once', async () => {
    const filler = 'lorem ipsum dolor sit amet '.repeat(1200);
    const text = `${filler}SSN 536-22-8726 ${filler}`;
    const { findings } = await createPipeline().scan({ response: text });
    assert.deepEqual(
      findings.map(({ start, end }) => text.slice(start, end)),
      ['536-22-8726'],
    );
  });

  it('scan finds a value wherever a block boundary falls into it', async () => {
    const pipeline = createPipeline({ stages: [{ name: 'pii_scanner' }] });
    for (let shift = 0; shift < 24; shift++) {
      const text = `${'x '.repeat(8192 - 24).slice(0, 8192 - 20 + shift)} SSN 536-22-8726 ${'y '.repeat(6000)}`;
      const { findings } = await pipeline.scan({ response: text });
      assert.deepEqual(
        findings.map(({ start, end }) => text.slice(start, end)),
        ['536-22-8726'],
      );
    }
  });

  it('scan refuses an input of another shape', async () => {
    await assert.rejects(createPipeline().scan({} as never), TypeError);
    await assert.rejects(createPipeline().scan({ response: 'a', prompt: 5 } as never), TypeError);
    await assert.rejects(createPipeline().scan({ response: 'a', promt: 'b' } as never), {
      name: 'TypeError',
      message:
        'scan: promt is not an option; known are prompt, response, context, system. Did you mean prompt?',
    });
  });

  it('scan goes on without the score of a stage that throws and fails open', async () => {
    const world = createWorld(() => {
      throw new Error('broken');
    });
    const result = await world.make(true).scan({ response: 'a@example.com' });
    assert.deepEqual(
      result.stages.map(({ status }) => status),
      ['failed', 'ok'],
    );
    assert.deepEqual(result.failedClosed, []);
    assert.equal(result.scores.toxicity, null);
    assert.equal(result.findings.length, 1);
  });

  it('scan names a stage that fails closed', async () => {
    const world = createWorld(async () => {
      throw new Error('broken');
    });
    const result = await world.make(false).scan({ response: 'a' });
    assert.deepEqual(result.failedClosed, ['toxicity_scanner']);
  });

  it('scan stops a stage at the checkpoint after its budget', async () => {
    let steps = 0;
    const world = createWorld((context, clock) => {
      for (;;) {
        steps++;
        clock.ms += 30;
        void context.checkpoint();
      }
    });
    const result = await world.make(true).scan({ response: 'a' });
    assert.equal(result.stages[0]?.status, 'timeout');
    assert.equal(steps, 4);
  });

  it('scan aborts the signal of a stage that never finishes', async () => {
    let signal: AbortSignal | undefined;
    const world = createWorld((context) => {
      signal = context.signal;
      return new Promise(() => {});
    });
    const pending = world.make(false).scan({ response: 'a' });
    world.clock.ms = 100;
    world.timers[0]?.();
    const result = await pending;
    assert.equal(result.stages[0]?.status, 'timeout');
    assert.deepEqual(result.failedClosed, ['toxicity_scanner']);
    assert.equal(signal?.aborted, true);
  });

  for (const [how, stop] of [
    [
      'timeout',
      (clock: { ms: number }) => {
        clock.ms += 101;
      },
    ],
    ['failed', () => assert.fail('broken')],
  ] as const) {
    it(`scan keeps findings and score of a stage that ends with ${how}, and flags at least`, async () => {
      const world = createWorld((context, clock) => {
        context.report(FINDING);
        context.setScore(0.9);
        stop(clock);
        void context.checkpoint();
      });
      const input = { response: 'a' };
      const result = await world.make(true).scan(input);
      assert.equal(result.stages[0]?.status, how);
      assert.deepEqual(result.findings, [{ ...FINDING, stage: 'toxicity_scanner' }]);
      assert.equal(result.scores.toxicity, 0.9);
      assert.equal(evaluatePolicies([], result, input).verdict, 'flagged');
    });
  }

  it('scan returns no score for a stage that found nothing before its timeout', async () => {
    const world = createWorld((context, clock) => {
      context.setScore(0);
      clock.ms += 101;
      void context.checkpoint();
    });
    assert.equal((await world.make(true).scan({ response: 'a' })).scores.toxicity, null);
  });

  it('scan tells of a stage that does not cover the texts, which neither flags nor fails', async () => {
    const world = createWorld((context) => context.setScore(null));
    for (const failOpen of [true, false]) {
      const input = { response: 'a' };
      const result = await world.make(failOpen).scan(input);
      assert.equal(result.stages[0]?.status, 'not_covered');
      assert.deepEqual([result.scores.toxicity, result.failedClosed], [null, []]);
      assert.equal(evaluatePolicies([], result, input).verdict, 'allowed');
    }
  });

  it('scan ignores later findings of a stage that timed out', async () => {
    let late: (() => void) | undefined;
    const world = createWorld((context) => {
      late = () => context.report(FINDING);
      return new Promise(() => {});
    });
    const pending = world.make(true).scan({ response: 'a' });
    world.clock.ms = 100;
    world.timers[0]?.();
    assert.deepEqual((await pending).findings, []);
    assert.throws(() => late?.(), { code: 'STAGE_TIMEOUT' });
  });

  it('scan does not count the wait for a turn against the budget of a stage', async () => {
    const clock = { ms: 0 };
    const stage: Stage = {
      name: 'toxicity_scanner',
      targets: ['response'],
      run: (context) =>
        forEachBlock(context, () => {
          clock.ms += 7;
        }),
    };
    const pipeline = createPipeline(
      { stages: [{ name: 'toxicity_scanner', timeoutMs: 100 }] },
      {
        stages: { toxicity_scanner: () => stage },
        now: () => clock.ms,
        yieldToLoop: async () => {
          clock.ms += 1_000;
        },
        startTimer: () => () => {},
      },
    );
    const blocks = (count: number) => pipeline.scan({ response: 'a'.repeat(8192 * count) });
    const { stages } = await blocks(14);
    assert.deepEqual(stages, [{ stage: 'toxicity_scanner', status: 'ok', durationMs: 98 }]);
    assert.equal((await blocks(16)).stages[0]?.status, 'timeout');
  });

  it('scan counts a result that comes after the budget as a timeout', async () => {
    const world = createWorld((_context, clock) => {
      clock.ms += 101;
    });
    const result = await world.make(true).scan({ response: 'a' });
    assert.equal(result.stages[0]?.status, 'timeout');
    assert.equal(result.scores.toxicity, null);
  });

  it('scan yields to the event loop after every few milliseconds of work', async () => {
    const world = createWorld((context, clock) => {
      return forEachBlock(context, () => {
        clock.ms += 1;
      });
    });
    await world.make(true, 10_000).scan({ response: 'word '.repeat(100 * 1024) });
    assert.ok(world.yields.count >= 8 && world.yields.count <= 10, String(world.yields.count));
  });

  it('scan stops working when the caller cancels', async () => {
    const controller = new AbortController();
    let visited = 0;
    const world = createWorld((context, clock) => {
      return forEachBlock(context, () => {
        visited++;
        clock.ms += 10;
        if (visited === 3) controller.abort();
      });
    });
    const scan = world
      .make(true, 1e6)
      .scan({ response: 'word '.repeat(1e5) }, { signal: controller.signal });
    await assert.rejects(scan, (error) => {
      assert.ok(error instanceof ScanCanceledError);
      assert.deepEqual(
        error.stages.map(({ status }) => status),
        ['cancelled', 'not_reached'],
      );
      return true;
    });
    assert.equal(visited, 3);
  });

  it('scan does not hold up the event loop over a text of 2 MiB', async () => {
    const text = 'Call +1 415 555 2671 or write to a@example.com; it is 10.20.30.40. '.repeat(
      31_000,
    );
    const pipeline = createPipeline();
    await pipeline.scan({ response: text.slice(0, 50_000) });
    const turns = await countTurns(() => pipeline.scan({ response: text }));
    assert.ok(turns >= 40, `${turns} turns`);
  });
});
