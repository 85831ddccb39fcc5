import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createThreadRunner, ThreadError } from '../../src/cli/threads.ts';

describe('threads', () => {
  it('scan threads share all batches', async () => {
    const runner = createThreadRunner({ scores: ['pii'] }, 2);
    const batches = Array.from({ length: 12 }, (_, index) => [
      { number: index + 1, text: JSON.stringify({ id: index, text: 'jane@example.org' }) },
    ]);
    const answers = await Promise.all(batches.map((batch) => runner.run(batch)));
    answers.forEach(({ output, rows, errors }, index) => {
      assert.deepEqual([JSON.parse(output).id, rows, errors], [index, 1, 0]);
    });
    await runner.close();
    await assert.rejects(runner.run([]), ThreadError);
  });

  it('a failed scan thread rejects all pending and later batches', async () => {
    const runner = createThreadRunner({ scores: ['truth'] }, 1);
    const line = { number: 1, text: '{"id":1,"text":"a"}' };
    await assert.rejects(
      runner.run([line]),
      /a thread failed: truth: no knowledge base is configured/,
    );
    await assert.rejects(runner.run([line]), ThreadError);
    await runner.close();
  });
});
