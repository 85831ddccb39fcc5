import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { TestLifetime } from '@probity/test-support';
import { temporaryFolder } from '@probity/test-support';
import { bootstrap, call, run, serve } from './support.ts';

const FACT = 'The night boat leaves from the northern pier.';
const CLAIM = 'The night boat leaves from the southern pier.';
const SECRET =
  'The vault of the harbour office opens only on the second Monday of March, at nine, for the auditor.';

/** A language model that contradicts everything; returns the keys of its calls. */
async function startJudge(test: TestLifetime): Promise<{ baseUrl: string; keys: unknown[] }> {
  const keys: unknown[] = [];
  const server = createServer((request, response) => {
    keys.push(request.headers.authorization);
    const content = JSON.stringify({ verdict: 'contradicted', confidence: 1 });
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ choices: [{ message: { content }, finish_reason: 'stop' }] }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  test.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, keys };
}

describe('PROBITY_PIPELINE_CONFIG', { concurrency: 2 }, () => {
  it('PROBITY_PIPELINE_CONFIG adds stages with knowledge, protected texts and a judge to a server', async (t) => {
    const folder = temporaryFolder(t).path;
    const location = `sqlite:${folder}/probity.db`;
    const { api_key: key } = await bootstrap(location);
    const judge = await startJudge(t);
    const options = { knowledge: 'facts.json', judge: { from: 0, to: 1 } };
    const config = {
      stages: [
        { name: 'contamination_check', options: { protected: [SECRET] } },
        { name: 'output_truth_scanner', options, timeoutMs: 600_000 },
      ],
      backends: {
        judge: {
          kind: 'openai',
          baseUrl: judge.baseUrl,
          timeoutMs: 600_000,
          model: 'm',
          apiKey: `$\{JUDGE_KEY}`,
        },
      },
    };
    writeFileSync(join(folder, 'facts.json'), JSON.stringify([FACT]));
    writeFileSync(join(folder, 'scanners.json'), JSON.stringify(config));
    const env = {
      PROBITY_PIPELINE_CONFIG: join(folder, 'scanners.json'),
      JUDGE_KEY: 'sk-test-1',
    };
    const { url } = await serve(t, location, { env });
    const response = `${CLAIM} ${SECRET}`;
    const { status, body } = await call(`${url}/api/v1/governance/scan`, key, 'POST', { response });
    assert.equal(status, 200);
    const { verdict, scores, findings } = body.data;
    assert.deepEqual([verdict, scores.pii, scores.truth], ['flagged', null, 1]);
    assert.ok(scores.contamination >= 0.5);
    const types = findings.map(({ type }: { type: string }) => type);
    assert.ok(types.includes('contradicted') && types.includes('verbatim'), types.join());
    assert.equal(judge.keys[0], 'Bearer sk-test-1');
  });

  it('with their stages on, scans compare with the nuggets and protected texts of their own organization', async (t) => {
    const folder = temporaryFolder(t).path;
    const location = `sqlite:${folder}/probity.db`;
    const [own, other] = [await bootstrap(location), await bootstrap(location)];
    const timeoutMs = 600_000;
    const stages = [
      { name: 'contamination_check', timeoutMs },
      { name: 'output_truth_scanner', timeoutMs },
    ];
    const file = join(folder, 'scanners.json');
    writeFileSync(file, JSON.stringify({ stages }));
    const env = { PROBITY_PIPELINE_CONFIG: file, PROBITY_CHECK_REPLIES: 'on' };
    const { url } = await serve(t, location, { env });
    const post = async (path: string, body: unknown, key = own.api_key) => {
      const answer = await call(`${url}/api/v1${path}`, key, 'POST', body);
      assert.ok(answer.status < 300, JSON.stringify(answer.body));
      return answer.body.data;
    };
    const fact = { claim: FACT, source_url: 'https://harbour.example/boats' };
    const nugget = await post('/knowledge/nuggets', fact);
    await post('/governance/protected-texts', { name: 'Vault', text: SECRET });
    const response = `${CLAIM} ${SECRET}`;
    const found = await post('/governance/scan', { response });
    assert.ok(
      found.scores.truth > 0.5 && found.scores.contamination > 0.5,
      JSON.stringify(found.scores),
    );
    const named = found.findings.find(({ type }: { type: string }) => type === 'contradicted');
    assert.equal(named.nuggetId, nugget.id);
    const foreign = await post('/governance/scan', { response }, other.api_key);
    assert.deepEqual([foreign.scores.truth, foreign.scores.contamination], [0, 0]);
  });

  it('PROBITY_PIPELINE_CONFIG adds a stage of a module beside it to a server', async (t) => {
    const folder = temporaryFolder(t).path;
    const location = `sqlite:${folder}/probity.db`;
    const { api_key: key } = await bootstrap(location);
    const stage = `
      import { defineStage } from '${import.meta.resolve('@probity/pipeline')}';
      export default defineStage({
        name: 'badge_scanner',
        types: ['badge_number'],
        reads: ['response'],
        rules: [{ threshold: 0.5, action: 'block' }],
        run({ fields: [{ field, text }], report }) {
          const start = text.indexOf('B-1234');
          if (start >= 0) report({ type: 'badge_number', score: 1, field, start, end: start + 6 });
        },
      });`;
    writeFileSync(join(folder, 'badges.mjs'), stage);
    const entry = { name: 'badge_scanner', module: './badges.mjs' };
    const file = join(folder, 'scanners.json');
    writeFileSync(file, JSON.stringify({ stages: [entry, { name: 'pii_scanner' }] }));
    const env = { PROBITY_PIPELINE_CONFIG: file, PROBITY_CHECK_REPLIES: 'on' };
    const { url } = await serve(t, location, { env });
    const scan = (response: string) =>
      call(`${url}/api/v1/governance/scan`, key, 'POST', { response });
    const passed = await scan('Nothing to see.');
    assert.deepEqual([passed.status, passed.body.data.scores.badge_scanner], [200, 0]);
    const { status, body } = await scan('My badge is B-1234.');
    assert.deepEqual([status, body.error.code], [403, 'POLICY_BLOCKED']);
    const { scores, violation_reason: reason, findings } = body.governance;
    assert.deepEqual([scores.badge_scanner, scores.pii], [1, 0]);
    assert.equal(reason, 'badge_scanner found badge_number');
    assert.deepEqual([findings[0].stage, findings[0].start], ['badge_scanner', 12]);
    const { data: alerts } = (await call(`${url}/api/v1/alerts`, key, 'GET')).body;
    assert.deepEqual([alerts[0].type, alerts[0].severity], ['policy', 'medium']);
  });

  it('PROBITY_PIPELINE_CONFIG with an invalid option stops the server before it listens', async (t) => {
    const folder = temporaryFolder(t).path;
    const file = join(folder, 'scanners.json');
    const backends = { judge: { kind: 'openai', baseUrl: 'x', model: 'm', apiKey: 'sk-in-file' } };
    const cases: [unknown, RegExp][] = [
      [{ backends }, /PROBITY_PIPELINE_CONFIG: backends\.judge\.apiKey: expected an environment/],
      [
        { stages: [{ name: 'pii' }] },
        /PROBITY_PIPELINE_CONFIG: stages\[0\]\.name: expected one of.*Did you mean pii_scanner\?/,
      ],
      [
        { stages: [{ name: 'x', module: './x.js' }] },
        /PROBITY_PIPELINE_CONFIG: stages\[0\]\.module: there is no file/,
      ],
    ];
    for (const [config, message] of cases) {
      writeFileSync(file, JSON.stringify(config));
      const args = ['serve', '--port', '0', '--database', `sqlite:${folder}/probity.db`];
      const program = run(t, args, { PROBITY_PIPELINE_CONFIG: file });
      assert.equal(await program.exited, 1);
      assert.match(program.stderr, message);
      assert.ok(!program.stderr.includes('sk-in-file'));
      assert.equal(program.stderr.trim().split('\n').length, 1);
    }
  });

  it('PROBITY_PIPELINE_CONFIG with a model that cannot be loaded stops the server', async (t) => {
    const folder = temporaryFolder(t).path;
    const file = join(folder, 'scanners.json');
    const guard = { kind: 'onnx', model: 'guard', libraryFolder: folder };
    const classifiers = { injection_scanner: { ...guard, labels: { A: 'prompt_injection' } } };
    writeFileSync(file, JSON.stringify({ backends: { classifiers } }));
    const args = ['serve', '--port', '0', '--database', `sqlite:${folder}/probity.db`];
    const program = run(t, args, { PROBITY_PIPELINE_CONFIG: file });
    assert.equal(await program.exited, 1);
    assert.match(
      program.stderr,
      /PROBITY_PIPELINE_CONFIG: backends\.classifiers\.injection_scanner: ONNX models need the package/,
    );
  });
});
