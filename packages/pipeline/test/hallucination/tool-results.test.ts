import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { createPipeline } from '../../src/index.ts';
import { scanMessages } from '../../src/messages/scan-messages.ts';
import type { ScanResult } from '../../src/types.ts';

/** What a tool answered, and answers of a model that repeat it or do not. */
interface ToolResult {
  readonly half: 'tuned' | 'held';
  readonly format: string;
  readonly prompt: string;
  readonly result: string;
  readonly faithful: readonly string[];
  readonly unfaithful: readonly { readonly error: string; readonly text: string }[];
  /** Faithful answers by language. */
  readonly other: Readonly<Record<string, string>>;
}

const FILE = new URL('../../../test/fixtures/tool-results.jsonl', import.meta.url);
const ROWS = readFileSync(FILE, 'utf8').trim().split('\n').map(parse);
const { scan } = createPipeline({ stages: [{ name: 'hallucination_detector' }] });

type Way = (row: ToolResult, response: string) => Promise<ScanResult>;

const asContext: Way = ({ prompt, result }, response) =>
  scan({ prompt, response, context: [result] });

const asMessages: Way = async ({ prompt, result }, response) => {
  const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };
  const messages = [
    { role: 'user', content: prompt },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c', content: result },
    { role: 'assistant', content: response },
  ];
  return (await scanMessages({ messages }, scan)).result;
};

async function shareFlagged(way: Way, answers: readonly (readonly [ToolResult, string])[]) {
  let flagged = 0;
  for (const [row, text] of answers) if ((await way(row, text)).findings.length > 0) flagged++;
  return flagged / answers.length;
}

describe('answers that repeat the result of a tool', () => {
  for (const [name, way] of [
    ['a context', asContext],
    ['messages', asMessages],
  ] as const) {
    for (const half of ['tuned', 'held'] as const) {
      it(`faithful answers are not reported and unfaithful ones are: ${name}, ${half}`, async () => {
        const rows = ROWS.filter((row) => row.half === half);
        assert.ok(new Set(rows.map(({ format }) => format)).size >= 10);
        const faithful = rows.flatMap((row) => row.faithful.map((text) => [row, text] as const));
        const unfaithful = rows.flatMap((row) =>
          row.unfaithful.map(({ text }) => [row, text] as const),
        );
        const [right, wrong] = [
          await shareFlagged(way, faithful),
          await shareFlagged(way, unfaithful),
        ];
        assert.ok(right <= 0.1, `${right} of the faithful ones`);
        assert.ok(wrong >= 0.85, `${wrong} of the unfaithful ones`);
      });
    }

    it(`answers in other languages are not judged: ${name}`, async () => {
      const answers = ROWS.flatMap((row) =>
        Object.values(row.other).map((text) => [row, text] as const),
      );
      assert.ok(answers.length >= 10);
      assert.equal(await shareFlagged(way, answers), 0);
    });
  }
});

function parse(line: string): ToolResult {
  return JSON.parse(line);
}
