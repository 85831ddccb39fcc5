import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Policy } from '../src/index.ts';
import { builtInPolicyRules, createPipeline, evaluatePolicies } from '../src/index.ts';
import { scanMessages } from '../src/messages/index.ts';

interface OrdinaryText {
  readonly id: string;
  readonly kind: 'ordinary' | 'code' | 'runs' | 'versions';
  readonly place: 'prompt' | 'document' | 'tool';
  readonly text: string;
}

const FILE = join(import.meta.dirname, '..', '..', 'test', 'fixtures', 'false-alarms.jsonl');
const TEXTS = readFileSync(FILE, 'utf8').trimEnd().split('\n').map(parse);
const builtIn: Policy = { id: 'p', name: 'built in', enabled: true, rules: builtInPolicyRules() };
const pipeline = createPipeline();
const CALL = [
  { role: 'user', content: 'Fix the failing test.' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read_file', arguments: '{}' } }],
  },
];

function parse(line: string): OrdinaryText {
  return JSON.parse(line);
}

async function verdictOf({ place, text }: OrdinaryText) {
  if (place === 'tool') {
    const messages = [...CALL, { role: 'tool', tool_call_id: 'c1', content: text }];
    const { result } = await scanMessages({ messages }, pipeline.scan);
    return evaluatePolicies([builtIn], result, { response: text }).verdict;
  }
  const asked = { prompt: 'Please summarize this.', context: [text], response: '' };
  const input = place === 'prompt' ? { prompt: text, response: '' } : asked;
  return evaluatePolicies([builtIn], await pipeline.scan(input), input).verdict;
}

describe('ordinary texts of the kinds that public reports name', () => {
  for (const kind of ['ordinary', 'runs', 'versions'] as const) {
    it(`the built-in policy allows every text of the kind ${kind}`, async () => {
      for (const text of TEXTS.filter((each) => each.kind === kind)) {
        assert.equal(await verdictOf(text), 'allowed', `${text.id}: ${text.text}`);
      }
    });
  }

  it('the built-in policy flags at most two texts with code, and blocks none', async () => {
    const flagged: string[] = [];
    for (const text of TEXTS.filter(({ kind }) => kind === 'code')) {
      const verdict = await verdictOf(text);
      assert.notEqual(verdict, 'blocked', `${text.id}: ${text.text}`);
      if (verdict !== 'allowed') flagged.push(text.id);
    }
    assert.ok(flagged.length <= 2, flagged.join(', '));
  });
});
