import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { describe, it } from 'node:test';
import type { CapturedRequest, Reply } from '../capturing-server.ts';
import { errorReply, startCapturingServer } from '../capturing-server.ts';
import type { Home, RunOptions } from '../program.ts';
import { createHome, KEY } from '../program.ts';
import { failedCall, MARKERS, outputFile, result, write } from './files.ts';

const AI_SYSTEM = '0197a3c0-5d1e-7abc-8def-0123456789ab';
const IMPORT = '/api/v1/compliance/evidence/import/evaltool';

/** Answers as the server does: a summary for each provider, a record for each failure. */
function acceptImport({ body }: CapturedRequest): Reply {
  const { results } = JSON.parse(body).evaltoolOutput;
  const failures = results.filter(({ success }: { success: boolean }) => !success).length;
  return {
    status: 201,
    body: {
      totalResultsProcessed: results.length,
      evidenceCreated: failures + 1,
      evidenceSkipped: 0,
      obligationLinksCreated: 13,
      evidenceIds: [AI_SYSTEM],
      warnings: ['a warning'],
    },
  };
}

async function start(t: TestContext, answer: typeof acceptImport = acceptImport) {
  const server = await startCapturingServer(t, answer);
  const home = createHome(t);
  const env = { PROBITY_API_KEY: KEY, PROBITY_BASE_URL: server.url };
  const run = (args: readonly string[], options: RunOptions = {}) =>
    home.run(['import', ...args], { ...options, env: { ...env, ...options.env } });
  return { server, home, run };
}

function assertNoText({ requests }: { readonly requests: readonly CapturedRequest[] }): void {
  for (const { body, path, headers } of requests) {
    const sent = JSON.stringify([path, headers]) + body;
    for (const [place, marker] of Object.entries(MARKERS)) {
      assert.ok(!sent.includes(marker), `the text of the ${place} was sent: ${sent}`);
    }
  }
}

function bodyOf(request: CapturedRequest | undefined) {
  return JSON.parse(request?.body ?? 'null');
}

function mixedFile(home: Home, name = 'results.json'): string {
  const results = [result('echo', true), result('echo', false, 1), failedCall('other')];
  return write(home.path, name, outputFile(results));
}

describe('import of an evaluation', () => {
  it('reads a file in UTF-16, as PowerShell redirects the output of a program', async (t) => {
    const { server, home, run } = await start(t);
    const text = `\ufeff${JSON.stringify(outputFile([result('Größe', true)]))}`;
    const path = write(home.path, 'results.json', Buffer.from(text, 'utf16le'));
    assert.equal((await run([path])).code, 0);
    const [first] = bodyOf(server.requests[0]).evaltoolOutput.results;
    assert.equal(first.provider.id, 'Größe');
    const broken = Buffer.from(text, 'utf16le').subarray(0, -1);
    const { code, stderr } = await run([write(home.path, 'broken.json', broken)]);
    assert.deepEqual([code, /not valid UTF-16/.test(stderr)], [2, true], stderr);
  });

  it('sends results without any text of prompts, outputs, variables, rubrics and errors', async (t) => {
    const { server, home, run } = await start(t);
    const labels = ['--label', 'env=ci', '--label', 'query=a=b'];
    const { code, stdout, stderr } = await run([
      ...[mixedFile(home), '--ai-system-id', AI_SYSTEM.toUpperCase(), ...labels],
    ]);
    assert.deepEqual([code, stderr], [0, 'probity: warning: a warning\n']);
    assert.equal(server.requests.length, 1);
    assertNoText(server);
    const [request] = server.requests;
    assert.deepEqual([request?.method, request?.path], ['POST', IMPORT]);
    assert.equal(request?.headers.authorization, `Bearer ${KEY}`);
    assert.match(String(request?.headers['idempotency-key']), /^\w{16,}$/);
    const { evaltoolOutput, aiSystemId, labels: sent } = bodyOf(request);
    assert.deepEqual([aiSystemId, sent], [AI_SYSTEM, { env: 'ci', query: 'a=b' }]);
    assert.deepEqual(
      [evaltoolOutput.version, evaltoolOutput.timestamp, evaltoolOutput.results.length],
      [3, '2026-01-31T00:00:00.000Z', 3],
    );
    assert.match(stdout, /^provider\s+passed\s+failed\s+errors\n/);
    assert.match(stdout, /^echo {6}1 {7}1 {7}0$/m);
    assert.match(stdout, /^other {5}0 {7}0 {7}1$/m);
    assert.match(
      stdout,
      /3 results, 3 evidence records created, 0 skipped, 13 links to obligations/,
    );
    assert.ok(!stdout.includes('warning'), 'warnings are no results');
  });

  it('exits with 0 when all records were there already, and prints the answer with --json', async (t) => {
    const skipped = { evidenceCreated: 0, evidenceSkipped: 3, obligationLinksCreated: 0 };
    const answer = { totalResultsProcessed: 3, ...skipped, evidenceIds: [], warnings: [] };
    const { home, run } = await start(t, () => ({ status: 200, body: answer }));
    const { code, stdout, stderr } = await run([mixedFile(home), '--json']);
    assert.deepEqual([code, stderr], [0, 'probity: nothing new: this run was imported already\n']);
    assert.deepEqual(JSON.parse(stdout), answer);
  });

  it('reads standard input, and YAML with aliases, as the same results', async (t) => {
    const { server, home, run } = await start(t);
    const yaml = [
      'evalId: eval-1',
      'results:',
      '  version: 3',
      "  timestamp: '2026-01-31T00:00:00.000Z'",
      '  results:',
      '    - &first',
      '      provider: { id: echo, label: "" }',
      `      prompt: { raw: "${MARKERS.prompt}", label: named }`,
      '      success: true',
      '      score: 1',
      '      failureReason: 0',
      '    - *first',
      '    - *first',
    ].join('\n');
    const path = write(home.path, 'results.yaml', yaml);
    assert.equal((await run([path])).code, 0);
    assert.equal((await run(['-'], { input: yaml })).code, 0);
    const named = {
      provider: { id: 'echo', label: '' },
      success: true,
      score: 1,
      failureReason: 0,
    };
    const prompt = { raw: MARKERS.prompt, label: 'named' };
    const json = outputFile([1, 2, 3].map(() => ({ ...named, prompt })));
    assert.equal((await run(['-'], { input: JSON.stringify(json) })).code, 0);
    const [first, second, third] = server.requests.map(bodyOf);
    assert.deepEqual(first, second);
    assert.deepEqual(first.evaltoolOutput.results, third.evaltoolOutput.results);
    assertNoText(server);
  });

  it('sends no reasons of graders with --no-grading-reasons', async (t) => {
    const { server, home, run } = await start(t);
    assert.equal((await run([mixedFile(home)])).code, 0);
    assert.equal((await run([mixedFile(home), '--no-grading-reasons'])).code, 0);
    const [first, second] = server.requests;
    assert.match(first?.body ?? '', /"reason":/);
    assert.doesNotMatch(second?.body ?? '', /"reason":/);
    assert.equal(bodyOf(second).storeGradingReason, false);
  });

  it('prints with --dry-run what it would send, and needs no key and no server', async (t) => {
    const { server, home, run } = await start(t);
    const path = mixedFile(home);
    const { code, stdout } = await run([path, '--dry-run', '--label', 'a=b'], {
      env: { PROBITY_API_KEY: undefined },
    });
    assert.deepEqual([code, server.requests.length], [0, 0]);
    await run([path, '--label', 'a=b']);
    assert.deepEqual(JSON.parse(stdout), bodyOf(server.requests[0]));
  });
});

describe('import of more than 500 results', () => {
  const of = (provider: string, count: number) =>
    Array.from({ length: count }, (_, index) => result(provider, index % 10 > 0, index));

  it('sends parts that hold whole providers, and adds up the answers', async (t) => {
    const { server, home, run } = await start(t);
    const results = [...of('first', 300), ...of('second', 250), ...of('third', 200)];
    const path = write(home.path, 'results.json', outputFile(results));
    const { code, stdout } = await run([path, '--json']);
    assert.equal(code, 0);
    const parts = server.requests.map(({ body }) => {
      const sent = JSON.parse(body).evaltoolOutput.results as { provider: { id: string } }[];
      return [...new Set(sent.map(({ provider }) => provider.id))].concat(String(sent.length));
    });
    assert.deepEqual(parts, [
      ['first', '300'],
      ['second', 'third', '450'],
    ]);
    const keys = server.requests.map(({ headers }) => headers['idempotency-key']);
    assert.equal(new Set(keys).size, 2);
    const { totalResultsProcessed, evidenceCreated, evidenceIds, warnings } = JSON.parse(stdout);
    assert.deepEqual([totalResultsProcessed, evidenceCreated], [750, 77]);
    assert.deepEqual([evidenceIds.length, warnings], [2, ['a warning']]);
  });

  it('sends the passes of a provider with more as their sum, and its failures', async (t) => {
    const { server, home, run } = await start(t);
    const path = write(home.path, 'results.json', outputFile(of('large', 1_000)));
    const { code, stdout, stderr } = await run([path]);
    assert.deepEqual([code, server.requests.length], [0, 1], stderr);
    const { results } = bodyOf(server.requests[0]).evaltoolOutput;
    assert.deepEqual([results.length, results.at(-1).repeat], [101, 900]);
    assert.match(stdout, /large +900 +100 +0/);
  });

  it('import sends 1,201 failures of one provider as a summary and three parts', async (t) => {
    const { server, home, run } = await start(t);
    const results = Array.from({ length: 1_201 }, (_, index) => result('large', false, index));
    const { code, stdout } = await run([write(home.path, 'results.json', outputFile(results))]);
    assert.equal(code, 0);
    const files = server.requests.map((request) => bodyOf(request).evaltoolOutput);
    assert.deepEqual(
      files.map(({ part, results: { length } }) => [part, length]),
      [
        ['summary', 1],
        ['failures', 500],
        ['failures', 500],
        ['failures', 201],
      ],
    );
    assert.match(stdout, /large +0 +1201 +0/);
  });

  it('tells what was imported when a later part fails', async (t) => {
    let requests = 0;
    const { home, run } = await start(t, (request) => {
      requests += 1;
      return requests === 1
        ? acceptImport(request)
        : errorReply(404, 'RESOURCE_NOT_FOUND', 'There is no such AI system.');
    });
    const path = write(home.path, 'results.json', outputFile([...of('a', 400), ...of('b', 400)]));
    const { code, stderr } = await run([path]);
    assert.equal(code, 5);
    assert.match(
      stderr,
      /no such AI system.*1 part with 41 records had been imported; run the import/s,
    );
  });
});

describe('an import that is refused on this machine', () => {
  const lines = [result('echo', true), result('echo', false)].map((each) => JSON.stringify(each));
  const bomb = Array.from({ length: 30 }, (_, at) =>
    at === 0
      ? 'a0: &a0 [x,x,x,x,x,x,x,x,x,x]'
      : `a${at}: &a${at} [${`*a${at - 1},`.repeat(9)}*a${at - 1}]`,
  ).join('\n');
  for (const [title, name, content, message] of [
    ['JSON Lines by name', 'results.jsonl', lines.join('\n'), /JSON Lines .* -o results\.json/],
    ['JSON Lines by content', 'results.txt', lines.join('\n'), /JSON Lines .* -o results\.json/],
    ['an empty file', 'results.json', '', /is empty/],
    ['CSV', 'results.csv', 'a,b\n1,2\n', /neither JSON nor YAML/],
    ['HTML', 'results.html', '<html></html>', /neither JSON nor YAML/],
    ['half a file', 'results.json', '{"results": {"version": 3, "resul', /Write the file with/],
    [
      'a version that is not supported',
      'results.json',
      { version: 1, results: [] },
      /version must be 2 or 3/,
    ],
    ['no results', 'results.json', outputFile([]), /results\.results is empty/],
    ['YAML that is none', 'results.yaml', `a: "${MARKERS.prompt}\nb: [`, /is not valid YAML/],
    ['YAML that aliases make endless', 'results.yaml', bomb, /Excessive alias count|too large/],
  ] as const) {
    it(`${title} is exit code 2, and nothing of the file is shown or sent`, async (t) => {
      const { server, home, run } = await start(t);
      const { code, stderr } = await run([write(home.path, name, content)]);
      assert.deepEqual([code, server.requests.length], [2, 0], stderr);
      assert.match(stderr, message);
      assert.ok(!stderr.includes(MARKERS.prompt) && !stderr.includes('    at '), stderr);
    });
  }

  for (const [args, message] of [
    [['--label', 'novalue'], /--label: expected key=value/],
    [['--label', '=x'], /--label: expected key=value/],
    [['--label', 'a=1', '--label', 'a=2'], /"a" is given twice/],
    [['--ai-system-id', 'abc'], /Expected a UUID/],
    [['--strict'], /--strict goes with --type knowledge-base/],
    [['--type', 'csv'], /Allowed choices are evaltool, knowledge-base/],
  ] as const) {
    it(`${args.join(' ')} is exit code 2`, async (t) => {
      const { server, home, run } = await start(t);
      const { code, stderr } = await run([mixedFile(home), ...args]);
      assert.deepEqual([code, server.requests.length], [2, 0]);
      assert.match(stderr, message);
    });
  }
});

describe('an import that the server refuses', () => {
  for (const [status, code, exit] of [
    [403, 'INSUFFICIENT_PERMISSIONS', 4],
    [404, 'RESOURCE_NOT_FOUND', 5],
    [422, 'VALIDATION_ERROR', 5],
  ] as const) {
    it(`with ${status} is exit code ${exit}, with the message and the id of the request`, async (t) => {
      const { home, run } = await start(t, () => errorReply(status, code, 'This is why.'));
      const { code: exitCode, stderr, stdout } = await run([mixedFile(home)]);
      assert.deepEqual([exitCode, stdout], [exit, '']);
      assert.equal(stderr, `probity: This is why (${code}, request req_12345678)\n`);
    });
  }

  it('is sent again after 503, with the same Idempotency-Key', async (t) => {
    let requests = 0;
    const { server, home, run } = await start(t, (request) => {
      requests += 1;
      if (requests > 1) return acceptImport(request);
      const { body } = errorReply(503, 'SERVICE_UNAVAILABLE', 'Later.');
      return { status: 503, body, headers: { 'retry-after': '0' } };
    });
    assert.equal((await run([mixedFile(home)])).code, 0);
    const keys = server.requests.map(({ headers }) => headers['idempotency-key']);
    assert.equal(keys.length, 2);
    assert.equal(keys[0], keys[1]);
  });
});
