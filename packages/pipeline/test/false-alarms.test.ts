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

/** Texts that earlier versions blocked. */
const ONCE_BLOCKED: readonly string[] = [
  'The quick brown fox jumps over the lazy dog.',
  'The quick brown fox jumps over the lazy dog. '.repeat(100),
  ...['We use Snowflake, BigQuery and Redshift.', 'What a stupid bug.', 'a dumb terminal'],
  ...['Let us play chess; you are black.', 'breast pump', 'retarded growth of plants'],
  ...['dirty flag', 'great tits nest in May', 'The Blacks live next door.'],
  'How do I override the default system prompt in my LangChain agent?',
  'I cannot forget your password policy, it is too strict.',
  'What does `; cat /etc/passwd` do in this log line?',
  ...['SELECT 1; DROP TABLE tmp;', '../../etc/hosts', 'rm -f a.o; true'],
  "//button[text()='OK' or text()='Yes']",
  ...['OPENAI_API_KEY=sk-xxxxxxxxxxxxxxxxxxxxxxxx', 'xxxxxxxxxxxxxxxxxxxxxxxx'],
  'loooooooooooooooooool',
  ...['upgrade from 1.84.0.9 to 1.84.1.0', 'Chrome 139.0.0.0', 'package@1.84.1.0'],
  ...['https://crm.example/find?q=[EMAIL_X]', 'See https://a.example/?email=[EMAIL]&v=[version]'],
];

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

  it('the built-in policy blocks no text that an earlier version blocked', async () => {
    for (const text of ONCE_BLOCKED) {
      for (const place of ['prompt', 'document', 'tool'] as const) {
        const verdict = await verdictOf({ id: '', kind: 'ordinary', place, text });
        assert.notEqual(verdict, 'blocked', `${place}: ${text}`);
      }
    }
  });
});
