import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { contentOf } from './database-content.ts';
import { bootstrap, call, emptyDatabases, serve, serveProcess } from './support.ts';

const PATH = '/api/v1/compliance/evidence/import/evaltool';
const LIMIT = 10_485_760;

/** A text of a prompt, output, variable or rubric. */
const planted = (name: string) => `Zqx${name}Kv is what the ${name} says`;
const PLANTED = /Zqx[a-z]+Kv/;

/** A result with planted texts; the first of three passes. */
function resultOf(index: number) {
  const success = index % 3 === 0;
  const assertion = { type: 'promptfoo:redteam:pii', value: planted('rubric') };
  const reason = `It says ${planted('output')} as "${planted('quoted')}"`;
  const score = success ? 1 : 0;
  return {
    provider: { id: `local:desk-${index % 2}`, label: '' },
    prompt: { raw: planted('prompt'), label: planted('prompt') },
    vars: { question: planted('variable') },
    response: { output: planted('output'), metadata: { trace: planted('trace') } },
    error: planted('error'),
    ...{ success, score, failureReason: success ? 0 : 1 },
    gradingResult: {
      pass: success,
      score,
      reason,
      componentResults: [{ pass: success, assertion }],
    },
    testCase: { description: planted('description'), metadata: { goal: planted('goal') } },
  };
}

/** An output file of the tool, as it is written. */
function outputOf(count = 12, over: object = {}) {
  const results = Array.from({ length: count }, (_, index) => resultOf(index));
  const summary = { version: 3, timestamp: '2026-05-06T07:08:09.123Z', results, ...over };
  return { evalId: 'eval', results: summary, config: { tests: [planted('config')] } };
}

/** Posts a text as it is. */
async function post(url: string, key: string, body: string | ReadableStream, headers = {}) {
  const response = await fetch(url + PATH, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body,
    duplex: 'half',
  } as RequestInit);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}

for (const database of emptyDatabases) {
  describe(`${database.name}: import of evaluations`, () => {
    it('stores no personal data or key of provider ids, labels and reasons', async (t) => {
      const location = await database.create(t);
      const { api_key: key } = await bootstrap(location, 'professional');
      const { url } = await serve(t, location);
      const apiKey = `sk-ant-api03-${'aB3dEf'.repeat(16)}`;
      const secrets = ['536-22-8145', '536-22-8146', apiKey, 'jane.roe@example.org'];
      const failed = (id: string, label: string) => {
        const { error: _, ...result } = resultOf(1);
        const gradingResult = { pass: false, score: 0, reason: `Not helpful, ask ${secrets[3]}` };
        return { ...result, provider: { id, label }, gradingResult };
      };
      const parts = [
        [failed('desk', `bot ${secrets[0]}`)],
        [failed('desk', `bot ${secrets[1]}`), failed(`proxy:${apiKey}`, 'proxy')],
      ];
      for (const results of [...parts, parts.flat()]) {
        const answer = await post(url, key, JSON.stringify(outputOf(0, { results })));
        const created = results.length === 3 ? 0 : 2 * results.length;
        assert.equal(answer.body.evidenceCreated, created, answer.text);
        for (const secret of secrets) assert.ok(!answer.text.includes(secret));
      }
      const stored = await contentOf(location);
      for (const secret of secrets) assert.ok(!stored.includes(secret), secret);
      assert.match(stored, /Not helpful, ask \[EMAIL_/);
    });

    it('twenty equal imports at once create one set of records', async (t) => {
      const location = await database.create(t);
      const { api_key: key } = await bootstrap(location, 'professional');
      const { url } = await serve(t, location);
      const body = JSON.stringify({ evaltoolOutput: outputOf() });
      const answers = await Promise.all(Array.from({ length: 20 }, () => post(url, key, body)));
      const statuses = answers.map(({ status }) => status).sort();
      assert.deepEqual(statuses, [...Array.from({ length: 19 }, () => 200), 201]);
      for (const { body: counts } of answers) {
        assert.equal(counts.evidenceCreated + counts.evidenceSkipped, 10);
      }
      const list = await call(`${url}/api/v1/compliance/evidence`, key);
      assert.equal(list.body.total, 10);
      const verified = await call(`${url}/api/v1/compliance/evidence/verify`, key);
      assert.equal(verified.status, 200);
    });

    it('neither the database, nor the log, nor an answer has a text of the evaluation', async (t) => {
      const location = await database.create(t);
      const { api_key: key } = await bootstrap(location);
      const { url, program } = await serveProcess(t, location, {
        env: { PROBITY_LOG_LEVEL: 'debug' },
      });
      const send = (evaltoolOutput: unknown, headers = {}) =>
        post(url, key, JSON.stringify({ evaltoolOutput }), headers);
      const first = await send(outputOf(), { 'idempotency-key': 'import-1' });
      assert.equal(first.status, 201, first.text);
      const again = await send(outputOf(), { 'idempotency-key': 'import-1' });
      assert.equal(again.headers.get('idempotent-replayed'), 'true');
      assert.equal(again.text, first.text);
      const refused = [
        await send(outputOf(12, { version: planted('version') })),
        await send(outputOf(12, { timestamp: planted('time') })),
        await send(outputOf(501)),
        await post(url, key, `${JSON.stringify({ evaltoolOutput: outputOf() })}}`),
      ];
      assert.deepEqual(
        refused.map(({ status }) => status),
        [400, 400, 400, 400],
      );
      const list = await call(`${url}/api/v1/compliance/evidence`, key);
      const shown =
        [first, again, ...refused].map(({ text }) => text).join() + JSON.stringify(list.body);
      assert.doesNotMatch(shown, PLANTED);
      const content = await contentOf(location);
      assert.ok(content.includes('local:desk-1'), 'the records are stored');
      assert.doesNotMatch(content, PLANTED);
      assert.doesNotMatch(`${program.stdout}${program.stderr}`, PLANTED);
    });
  });
}

const [sqlite] = emptyDatabases;

describe('import of evaluations', () => {
  it('needs the plan professional', async (t) => {
    const location = (await sqlite?.create(t)) as string;
    const [starter, professional] = [
      await bootstrap(location, 'starter'),
      await bootstrap(location, 'professional'),
    ];
    const { url } = await serve(t, location);
    const body = JSON.stringify({ evaltoolOutput: outputOf() });
    const refused = await post(url, starter.api_key, body);
    assert.equal(refused.status, 403);
    assert.equal(refused.body.error.code, 'INSUFFICIENT_PERMISSIONS');
    assert.equal((await post(url, professional.api_key, body)).status, 201);
  });

  it('is limited to 5,000 requests an hour, and to 10,000 for enterprise', async (t) => {
    const location = (await sqlite?.create(t)) as string;
    const { url } = await serve(t, location, { env: { PROBITY_RATE_LIMITS: undefined } });
    const limits = [];
    for (const plan of ['professional', 'enterprise']) {
      const { api_key: key } = await bootstrap(location, plan);
      const { headers } = await post(url, key, '{}');
      limits.push(headers.get('x-ratelimit-limit'));
    }
    assert.deepEqual(limits, ['5000', '10000']);
  });

  it('takes 10 MB, and answers more with 413 readably', async (t) => {
    const location = (await sqlite?.create(t)) as string;
    const { api_key: key } = await bootstrap(location);
    const { url } = await serve(t, location);
    const text = JSON.stringify({ evaltoolOutput: { ...outputOf(), padding: '' } });
    const exact = text.replace('"padding":""', `"padding":"${'x'.repeat(LIMIT - text.length)}"`);
    assert.equal(Buffer.byteLength(exact), LIMIT);
    assert.equal((await post(url, key, exact)).status, 201);
    const announced = await post(url, key, `${exact} `);
    assert.deepEqual([announced.status, announced.body.error.code], [413, 'PAYLOAD_TOO_LARGE']);
    const streamed = await post(url, key, new Blob([exact, ' ']).stream());
    assert.equal(streamed.status, 413);
  });

  it('passes over what it does not read, whatever it holds', async (t) => {
    const location = (await sqlite?.create(t)) as string;
    const { api_key: key } = await bootstrap(location);
    const { url } = await serve(t, location);
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const hostile = `["\\u0000","\\ud800",${deep},"${'x'.repeat(9_000_000)}",{"__proto__":{"a":1}}]`;
    const text = JSON.stringify({ evaltoolOutput: outputOf() });
    const body = text.replace('"config":', `"traces":${hostile},"config":`);
    const answer = await post(url, key, body);
    assert.equal(answer.status, 201, answer.text);
  });
});
