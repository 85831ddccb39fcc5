import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { createPipeline } from '../../src/index.ts';

interface Conversation {
  readonly prompt: string;
  readonly text: string;
  readonly context?: string;
  readonly label: 0 | 1;
  readonly labels: { readonly language: string };
}

const FILE = new URL('../../../test/fixtures/conversations.jsonl', import.meta.url);
const ROWS = readFileSync(FILE, 'utf8').trim().split('\n').map(parse);

describe('answers in conversation', () => {
  const pipeline = createPipeline({ stages: [{ name: 'hallucination_detector' }] });
  const scan = async ({ prompt, text, context }: Conversation) => {
    const passages = context === undefined ? {} : { context: [context] };
    return await pipeline.scan({ prompt, response: text, ...passages });
  };
  const shareFlagged = async (rows: readonly Conversation[]) => {
    let flagged = 0;
    for (const row of rows) if ((await scan(row)).findings.length > 0) flagged++;
    return flagged / rows.length;
  };

  it('answers in conversation: right ones without a context are not reported', async () => {
    const rows = ROWS.filter(({ label, context }) => label === 0 && context === undefined);
    assert.ok(rows.length >= 80 && rows.some(({ prompt }) => prompt.length >= 400));
    assert.equal(await shareFlagged(rows), 0);
  });

  it('answers in conversation: few right ones with a context are reported, and most wrong ones', async () => {
    const rows = ROWS.filter(({ context }) => context !== undefined);
    const right = await shareFlagged(rows.filter(({ label }) => label === 0));
    const wrong = await shareFlagged(rows.filter(({ label }) => label === 1));
    assert.ok(right <= 0.05, `${right} of the right ones`);
    assert.ok(wrong >= 0.6, `${wrong} of the wrong ones`);
  });

  it('hallucination_detector flags no right answer in other languages and skips Chinese', async () => {
    const rows = ROWS.filter(
      ({ labels, context }) => labels.language !== 'en' && context !== undefined,
    );
    assert.ok(rows.length >= 10);
    let judged = 0;
    for (const row of rows) {
      const { scores, stages } = await scan(row);
      if (stages[0]?.status !== 'not_covered') judged++;
      else assert.equal(scores.hallucination, null, row.text);
      assert.ok((scores.hallucination ?? 0) < 0.8, row.text);
      if (row.labels.language === 'zh') assert.equal(stages[0]?.status, 'not_covered', row.text);
    }
    assert.ok(judged >= 5, `${judged} of ${rows.length} judged`);
  });
});

function parse(line: string): Conversation {
  return JSON.parse(line);
}
