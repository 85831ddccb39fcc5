import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPipeline } from '@probity/pipeline';
import type { KnowledgeSource } from '../../src/index.ts';
import { governance } from '../../src/index.ts';
import { createApi } from '../api.ts';
import { createWorld } from '../world.ts';

const pipeline = createPipeline({
  stages: [{ name: 'pii_scanner' }, { name: 'output_truth_scanner' }],
});
const HEIGHT = 'The Eiffel Tower in Paris is 330 metres tall.';
const WRONG = 'The Eiffel Tower in Paris is 210 metres tall.';

/** Statements of organizations, each of which is a candidate for every text. */
function sourceOf(statements: Readonly<Record<string, readonly string[]>>) {
  const asked: { organizationId: string; texts: readonly string[]; count: number }[] = [];
  const source: KnowledgeSource = {
    async nearest(organizationId, texts, { count }) {
      asked.push({ organizationId, texts, count });
      const own = statements[organizationId] ?? [];
      return texts.map(() => own.map((claim, at) => ({ nugget: { id: `nug_${at}`, claim } })));
    },
  };
  return { source, asked };
}

test('an answer is held against the statements of its own organization, and findings name them', async (t) => {
  const statements: Record<string, readonly string[]> = {};
  const { source, asked } = sourceOf(statements);
  const api = await createApi(t, { pipeline, source });
  const { organizationId } = api.context.principal;
  statements[organizationId] = ['Paris is the capital of France.', HEIGHT];
  const { body } = await api.postScan({ response: WRONG });
  assert.ok(body.data.scores.truth > 0.5, String(body.data.scores.truth));
  const [finding] = body.data.findings;
  assert.deepEqual(
    [finding.type, finding.nuggetId, finding.nugget, finding.action],
    ['contradicted', 'nug_1', undefined, 'flag'],
  );
  const claim = WRONG.slice(0, -1);
  assert.equal(WRONG.slice(finding.start, finding.end), claim);
  assert.deepEqual(asked, [{ organizationId, texts: [claim], count: 16 }]);
  statements[organizationId] = [];
  assert.equal((await api.postScan({ response: WRONG })).body.data.scores.truth, 0);
});

test('a knowledge base that is not reached fails the stage, and the scan is flagged', async (t) => {
  const source: KnowledgeSource = {
    nearest: async () => {
      throw new Error('not reached');
    },
  };
  const api = await createApi(t, { pipeline, source });
  const { body } = await api.postScan({ response: WRONG });
  assert.deepEqual([body.data.verdict, body.data.scores.truth], ['flagged', null]);
  const { status } = body.data.stages.find(
    ({ name }: { name: string }) => name === 'output_truth_scanner',
  );
  assert.equal(status, 'failed');
});

test('the knowledge is asked for at most 200 texts of a long answer, and not without the stage', async (t) => {
  const { source, asked } = sourceOf({});
  const { scan, context } = await createWorld(t, { pipeline, source });
  const response = Array.from(
    { length: 1_500 },
    (_, at) => `The tower number ${at} in Paris is ${at} metres tall.`,
  ).join(' ');
  await scan(context, { response });
  assert.equal(asked.length, 1);
  const texts = asked[0]?.texts ?? [];
  assert.ok(texts.length > 100 && texts.length <= 200, String(texts.length));
  assert.ok(texts.at(-1)?.includes('number 1499'));
  const without = await createWorld(t, { source });
  await without.scan(without.context, { response: WRONG });
  assert.equal(asked.length, 1);
});

test('messages and streams are held against the knowledge base as well', async (t) => {
  const statements: Record<string, readonly string[]> = {};
  const { source } = sourceOf(statements);
  const { scan, scanStream, context } = await createWorld(t, { pipeline, source });
  statements[context.principal.organizationId] = [HEIGHT];
  const messages = [
    { role: 'user', content: 'How tall is it?' },
    { role: 'assistant', content: WRONG },
  ];
  const { scan: record } = await scan(context, { messages });
  assert.deepEqual(
    record.findings.map(({ type, path, nuggetId }) => [type, path, nuggetId]),
    [['contradicted', '[1].content', 'nug_0']],
  );
  async function* response() {
    yield WRONG;
  }
  for await (const event of await scanStream(context, {}, response())) {
    if (event.type !== 'final') continue;
    assert.equal(event.outcome.scan.findings[0]?.nuggetId, 'nug_0');
  }
});

test('the knowledge of governance() must be able to find statements', () => {
  assert.throws(
    () => governance({ knowledge: {} as never }),
    /governance: knowledge must be .*; verify is no function/,
  );
});
