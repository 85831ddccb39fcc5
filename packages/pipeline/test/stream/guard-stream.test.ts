import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { GuardStreamOptions, Pipeline, Policy } from '../../src/index.ts';
import {
  BlockedError,
  createGuard,
  createGuardTransform,
  createPipeline,
  createRedactor,
  guardStream,
  ScanCanceledError,
} from '../../src/index.ts';
import { INJECTIONS } from '../fixtures/injections.ts';
import { PII_POSITIVES } from '../fixtures/pii.ts';

const SSN = '536-22-8726';
const FILLER = 'The parcel left the warehouse this morning and will arrive in two or three days. ';
const PII = createPipeline({ stages: [{ name: 'pii_scanner' }] });
const guardWith = (action: 'redact' | 'block', pipeline: Pipeline = PII) => {
  const rules: Policy['rules'] = [{ stage: 'pii_scanner', action }];
  return createGuard({ pipeline, policies: [{ id: 'p', name: 'p', rules }] });
};
const REDACT = guardWith('redact');
const BLOCK = guardWith('block');
const SECRET = `${FILLER.repeat(30)}My SSN is ${SSN}. ${FILLER.repeat(30)}`;

const VALUES = Object.values(PII_POSITIVES)
  .flat()
  .map((marked) => marked.replace(/[«»]/g, ''));
const base64 = (text: string) => Buffer.from(text).toString('base64');
const text = fc
  .array(fc.constantFrom(...VALUES, FILLER, FILLER.repeat(9), '😀 ', base64(`SSN is ${SSN}`)), {
    minLength: 1,
    maxLength: 14,
  })
  .map((pieces) => pieces.join(' '));
const sizes = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1 });

describe('guardStream', () => {
  it('a guarded stream refuses a replacement that is no text', async () => {
    const replacement = (() => ({ text: 'sorry' })) as unknown as () => string;
    const guarded = guardStream(ReadableStream.from([SECRET]), { guard: BLOCK, replacement });
    await assert.rejects(async () => {
      for await (const text of guarded) assert.equal(typeof text, 'string');
    }, /replacement must give a text; got object/);
  });

  it('a guarded stream that is closed before it is read closes its source', async () => {
    let isClosed = false;
    const source = {
      [Symbol.asyncIterator]: () => ({
        next: async () => ({ done: false as const, value: FILLER }),
        async return() {
          isClosed = true;
          return { done: true as const, value: undefined };
        },
      }),
    };
    const guarded = guardStream(source, { guard: REDACT });
    const iterator = guarded[Symbol.asyncIterator]();
    assert.deepEqual(await iterator.return?.(), { done: true, value: undefined });
    assert.ok(isClosed);
    await assert.rejects(guarded.result, ScanCanceledError);
    assert.deepEqual(await iterator.next(), { done: true, value: undefined });
  });

  it('a guarded stream that is closed while its source is silent closes it and ends', async () => {
    for (const before of [0, 40]) {
      let isClosed = false;
      let given = 0;
      const source = {
        [Symbol.asyncIterator]: () => ({
          next: () =>
            given++ < before
              ? Promise.resolve({ done: false as const, value: FILLER })
              : new Promise<never>(() => {}),
          async return() {
            isClosed = true;
            return { done: true as const, value: undefined };
          },
        }),
      };
      const guarded = guardStream(source, { guard: REDACT });
      const reader = ReadableStream.from(guarded).getReader();
      while (given <= before) await Promise.race([reader.read(), turnOfLoop()]);
      await reader.cancel();
      assert.ok(isClosed);
      await assert.rejects(guarded.result, ScanCanceledError);
    }
  });

  it('a guarded stream leaks nothing at any increments, and gives what redacting the whole text gives', async () => {
    await fc.assert(
      fc.asyncProperty(text, sizes, fc.constantFrom(2, 2.5, 4), async (whole, cuts, maxWork) => {
        const { findings } = await PII.scan({ response: whole });
        const expected = createRedactor().redact(whole, findings);
        const guarded = guardStream(cutBy(whole, cuts), { guard: REDACT, maxWork });
        assert.equal((await collect(guarded)).join(''), expected);
        const result = await guarded.result;
        assert.deepEqual(
          result.findings.map(({ action: _, ...finding }) => finding),
          findings,
        );
        const blocked = guardStream(cutBy(whole, cuts), { guard: BLOCK, maxWork, replacement: '' });
        const passed = (await collect(blocked)).join('');
        assert.ok(whole.startsWith(passed));
        for (const { start } of findings) assert.ok(passed.length <= start);
        assert.equal((await blocked.result).verdict, findings.length > 0 ? 'blocked' : 'allowed');
      }),
      { numRuns: 40 },
    );
  });

  it('a guarded stream passes on nothing of an attack that fits into what is held back', async () => {
    const pipeline = createPipeline({ stages: [{ name: 'injection_scanner' }] });
    const guard = createGuard({ pipeline });
    const attacks = Object.values(INJECTIONS)
      .flat()
      .filter((attack) => attack.length < 200);
    const lengths = fc.integer({ min: 0, max: 30 });
    await fc.assert(
      fc.asyncProperty(
        ...([fc.constantFrom(...attacks), lengths, lengths, sizes] as const),
        async (attack, before, after, cuts) => {
          const whole = `${FILLER.repeat(before)}${attack}\n${FILLER.repeat(after)}`;
          const { verdict, findings } = await guard.check({ response: whole });
          if (verdict !== 'blocked') return;
          const guarded = guardStream(cutBy(whole, cuts), { guard, replacement: '' });
          const passed = (await collect(guarded)).join('');
          assert.equal((await guarded.result).verdict, 'blocked');
          const blocking = findings.filter(({ action }) => action === 'block');
          assert.ok(passed.length <= Math.min(...blocking.map(({ start }) => start)));
        },
      ),
      { numRuns: 40 },
    );
  });

  it('a guarded stream is scanned at most maxWork times, wherever it is cut and ends', async () => {
    let scanned = 0;
    const counting: Pipeline = {
      ...PII,
      scan(input, options) {
        scanned += input.response.length;
        return PII.scan(input, options);
      },
    };
    const guard = guardWith('redact', counting);
    for (const maxWork of [1, 2, 4]) {
      for (const length of [1, 300, 512, 700, 1_024, 1_537, 4_000, 15_000]) {
        const whole = SECRET.repeat(20).slice(0, length);
        scanned = 0;
        const passed = await collect(guardStream(cutBy(whole, [4]), { guard, maxWork }));
        assert.ok(scanned <= maxWork * length, `${scanned / length} of ${length}`);
        const isEarly = maxWork > 1 && length >= 1_537;
        assert.ok(!isEarly || passed.length > 2, `${passed.length} parts of ${length}`);
      }
    }
  });

  it('a guarded stream that is blocked ends with the violation or with a replacement', async () => {
    const blocked = guardStream(cutBy(SECRET, [50]), { guard: BLOCK });
    const passed: string[] = [];
    await assert.rejects(
      async () => {
        for await (const part of blocked) passed.push(part);
      },
      (error) => {
        assert.ok(error instanceof BlockedError);
        assert.deepEqual(error.violation, {
          ...{ policyId: 'p', code: 'PII_DETECTED', reason: 'pii_scanner found ssn' },
        });
        assert.equal(error.message, 'blocked: pii_scanner found ssn');
        return true;
      },
    );
    assert.ok(passed.length > 0 && SECRET.startsWith(passed.join('')));
    assert.equal(passed.join('').includes(SSN.slice(0, 3)), false);
    const { verdict, violation, findings } = await blocked.result;
    assert.deepEqual(
      [verdict, violation?.code, findings[0]?.type],
      ['blocked', 'PII_DETECTED', 'ssn'],
    );
    for (const replacement of ['[removed]', () => '[removed]']) {
      const options = { guard: BLOCK, replacement };
      assert.equal((await collect(guardStream(cutBy(SECRET, [50]), options))).at(-1), '[removed]');
      assert.equal((await transformed(SECRET, options)).at(-1), '[removed]');
    }
    await assert.rejects(transformed(SECRET, { guard: BLOCK }), BlockedError);
  });

  it('a guarded stream is read no faster than its reader reads, and closes its source', async () => {
    let given = 0;
    let isClosed = false;
    async function* endless() {
      try {
        for (;;) {
          given++;
          yield FILLER;
        }
      } finally {
        isClosed = true;
      }
    }
    const guarded = guardStream(endless(), { guard: REDACT });
    for await (const part of guarded) {
      assert.ok(part.length > 0);
      break;
    }
    assert.equal(isClosed, true);
    assert.ok(given < 20, String(given));
    await assert.rejects(guarded.result, ScanCanceledError);
    let isCanceled = false;
    const source = new ReadableStream<string>({
      pull: (controller) => controller.enqueue(FILLER),
      cancel: () => {
        isCanceled = true;
      },
    });
    for await (const _ of guardStream(source, { guard: REDACT })) break;
    assert.equal(isCanceled, true);
  });

  it('a guarded stream stops at its signal although its source is silent', async () => {
    const stop = new AbortController();
    async function* silent(): AsyncGenerator<string> {
      yield FILLER;
      await new Promise(() => {});
    }
    const guarded = guardStream(silent(), { guard: REDACT, signal: stop.signal });
    const reading = collect(guarded);
    setImmediate(() => stop.abort(new Error('enough')));
    await assert.rejects(reading, ScanCanceledError);
    await assert.rejects(guarded.result, ScanCanceledError);
  });

  it('a guarded stream passes the error of its source on, and refuses what is no text', async () => {
    const broken = new Error('connection lost');
    async function* failing() {
      yield FILLER;
      throw broken;
    }
    const guarded = guardStream(failing(), { guard: REDACT });
    await assert.rejects(collect(guarded), broken);
    await assert.rejects(guarded.result, broken);
    async function* bytes() {
      yield new Uint8Array(3) as unknown as string;
    }
    await assert.rejects(collect(guardStream(bytes(), { guard: REDACT })), /TextDecoderStream/);
    await assert.rejects(
      collect(guardStream(cutBy(SECRET, [50]), { guard: REDACT, maxLength: 100 })),
      { code: 'STREAM_TOO_LONG' },
    );
    assert.throws(
      () => guardStream('text' as never),
      /source must be an AsyncIterable or a Readable/,
    );
    for (const [options, message] of [
      [{ polices: [] }, /polices is not an option; known are guard/],
      [{ maxWork: 0.5 }, /maxWork: expected a number from 1/],
      [{ replacement: 7 }, /replacement must be a text or a function/],
    ] as const) {
      assert.throws(() => guardStream(cutBy('a', [1]), options as never), message);
    }
  });

  it('a guard transform gives the same as the iterable, and its result', async () => {
    const options = { guard: REDACT };
    const transform = createGuardTransform(options);
    const passed = await collect(streamOf(SECRET).pipeThrough(transform));
    assert.equal(passed.join(''), SECRET.replace(SSN, '[SSN_1]'));
    assert.ok(passed.length > 2);
    const { verdict, reason } = await transform.result;
    assert.deepEqual([verdict, reason], ['flagged', 'pii_scanner redacted ssn']);
    assert.equal((await collect(guardStream(streamOf(SECRET), options))).join(''), passed.join(''));
  });

  it('a guard transform stops at its signal although nothing is written', async () => {
    const stop = new AbortController();
    const transform = createGuardTransform({ guard: REDACT, signal: stop.signal });
    const reading = collect(transform.readable);
    setImmediate(() => stop.abort(new Error('enough')));
    await assert.rejects(reading, ScanCanceledError);
    await assert.rejects(transform.result, ScanCanceledError);
    const late = createGuardTransform({ guard: REDACT, signal: stop.signal });
    await assert.rejects(collect(streamOf(SECRET).pipeThrough(late)), ScanCanceledError);
  });

  it('a guard transform settles its result where its reader or its source stops', async () => {
    let isCanceled = false;
    const endless = new ReadableStream<string>({
      pull: (controller) => controller.enqueue(FILLER),
      cancel: () => {
        isCanceled = true;
      },
    });
    const left = createGuardTransform({ guard: REDACT });
    for await (const _ of endless.pipeThrough(left)) break;
    await assert.rejects(left.result, ScanCanceledError);
    await turnOfLoop();
    assert.ok(isCanceled);
    const broken = new Error('connection lost');
    const cut = createGuardTransform({ guard: REDACT });
    const failing = new ReadableStream<string>({ pull: () => Promise.reject(broken) });
    await assert.rejects(collect(failing.pipeThrough(cut)), broken);
    await assert.rejects(cut.result, broken);
  });

  it('a guarded stream is judged with its prompt and context at the end', async () => {
    const pipeline = createPipeline({ stages: [{ name: 'hallucination_detector' }] });
    const context = ['The museum opens at 9 and closes at 17 on weekdays.'];
    const answer = 'The museum opens at 11 and closes at 17 on weekdays.';
    const guarded = guardStream(cutBy(answer, [9]), { guard: createGuard({ pipeline }), context });
    assert.equal((await collect(guarded)).join(''), answer);
    assert.equal((await guarded.result).verdict, 'flagged');
  });
});

async function* cutBy(whole: string, cuts: readonly number[]): AsyncGenerator<string> {
  let at = 0;
  for (let turn = 0; at < whole.length; turn++) {
    const size = cuts[turn % cuts.length] as number;
    yield whole.slice(at, at + size);
    at += size;
  }
}

function turnOfLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function streamOf(whole: string): ReadableStream<string> {
  return ReadableStream.from(cutBy(whole, [50]));
}

async function transformed(whole: string, options: GuardStreamOptions): Promise<string[]> {
  return collect(streamOf(whole).pipeThrough(createGuardTransform(options)));
}

async function collect(texts: AsyncIterable<string>): Promise<string[]> {
  const parts: string[] = [];
  for await (const part of texts) parts.push(part);
  return parts;
}
