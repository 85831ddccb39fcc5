import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { describe, it } from 'node:test';
import type { CapturedRequest, Reply } from '../capturing-server.ts';
import { caller, errorReply, startCapturingServer } from '../capturing-server.ts';
import { write } from '../evaluations/files.ts';
import { createHome, KEY } from '../program.ts';

const CSV =
  'claim,source_url,category,confidence\nWater boils at 100 °C,https://a.example,physics,high\n';

/** The routes of the contract that the command uses. */
function knowledgeServer(answer: (request: CapturedRequest) => Reply) {
  return (request: CapturedRequest): Reply => {
    if (request.path === '/api/v1/whoami') return { body: caller('org_own') };
    return request.path.startsWith('/api/v1/knowledge/nuggets/import')
      ? answer(request)
      : errorReply(404, 'RESOURCE_NOT_FOUND', 'No such route.');
  };
}

async function start(t: TestContext, answer: (request: CapturedRequest) => Reply) {
  const server = await startCapturingServer(t, knowledgeServer(answer));
  const home = createHome(t);
  const env = { PROBITY_API_KEY: KEY, PROBITY_BASE_URL: server.url };
  const run = (file: string, ...args: string[]) =>
    home.run(['import', file, '--type', 'knowledge-base', ...args], { env });
  const uploads = () => server.requests.filter(({ method }) => method === 'POST');
  return { home, run, uploads };
}

const own = ['--organization', 'org_own'];

describe('import of a knowledge base', () => {
  it('sends a file in UTF-16 as UTF-8', async (t) => {
    const { home, run, uploads } = await start(t, () => ({ body: { data: { created: 1 } } }));
    const path = write(home.path, 'facts.csv', Buffer.from(`\ufeff${CSV}`, 'utf16le'));
    assert.equal((await run(path, ...own)).code, 0);
    assert.equal(uploads()[0]?.body, CSV);
  });

  it('sends the file as it is, by its form, and prints the counts', async (t) => {
    const { home, run, uploads } = await start(t, () => ({
      status: 201,
      body: { data: { created: 1, updated: 2, errors: [] } },
    }));
    const csv = await run(write(home.path, 'facts.csv', CSV), ...own);
    assert.deepEqual([csv.code, csv.stdout, csv.stderr], [0, 'created 1, updated 2\n', '']);
    const nuggets = [{ claim: 'a', source_url: 'https://a.example', category: 'b', confidence: 1 }];
    const path = write(home.path, 'facts.txt', nuggets);
    assert.equal((await run(path, ...own, '--format', 'json', '--strict')).code, 0);
    const [first, second] = uploads();
    assert.equal(first?.body, CSV);
    assert.equal(first?.headers['content-type'], 'text/csv; charset=utf-8');
    assert.equal(first?.headers.authorization, `Bearer ${KEY}`);
    assert.deepEqual(JSON.parse(second?.body ?? ''), nuggets);
    assert.equal(second?.headers['content-type'], 'application/json');
    assert.equal(second?.path, '/api/v1/knowledge/nuggets/import?strict=true');
  });

  it('names the rows that the server refused, and exits with 1', async (t) => {
    const errors = [{ line: 3, field: 'confidence', message: 'must be at most 1\u001b[0m' }];
    const body = { data: { created: 1, errors } };
    const { home, run } = await start(t, () => ({ body }));
    const path = write(home.path, 'facts.csv', CSV);
    const { code, stdout } = await run(path, ...own);
    assert.equal(code, 1);
    const refused = 'line 3  confidence: must be at most 1\ufffd[0m\n1 row refused\n';
    assert.equal(stdout, `created 1\n${refused}`);
    assert.deepEqual(JSON.parse((await run(path, ...own, '--json')).stdout), body);
  });

  it('is refused for an organization that is not that of the key, before anything is sent', async (t) => {
    const { home, run, uploads } = await start(t, () => ({}));
    const path = write(home.path, 'facts.csv', CSV);
    const { code, stderr } = await run(path, '--organization', 'org_other');
    assert.deepEqual([code, uploads().length], [2, 0]);
    assert.match(stderr, /--organization: the API key is of org_own, not of "org_other"/);
  });

  it('says that a server without a knowledge base has none', async (t) => {
    const { home, run } = await start(t, () => errorReply(404, 'RESOURCE_NOT_FOUND', 'No.'));
    const { code, stderr } = await run(write(home.path, 'facts.csv', CSV), ...own);
    assert.equal(code, 5);
    assert.match(stderr, /has no knowledge base/);
  });

  it('tells what the server refuses, and a key without the permission', async (t) => {
    const { home, run } = await start(t, () => {
      const { body } = errorReply(422, 'VALIDATION_ERROR', 'The header is wrong.');
      const { error } = body as { error: object };
      return {
        status: 422,
        body: { error: { ...error, details: [{ field: 'claim', message: 'is missing' }] } },
      };
    });
    const path = write(home.path, 'facts.csv', CSV);
    const { code, stderr } = await run(path, ...own);
    assert.equal(code, 5);
    assert.match(
      stderr,
      /^probity: The header is wrong \(VALIDATION_ERROR, request req_12345678\)\n {2}claim: is missing\n$/,
    );
  });

  for (const [args, message] of [
    [[], /--organization: a knowledge base needs the id/],
    [[...own, '--label', 'a=b'], /--label goes with --type evaltool/],
    [[...own, '--format', 'xml'], /Allowed choices are csv, json/],
  ] as const) {
    it(`with ${JSON.stringify(args)} is exit code 2`, async (t) => {
      const { home, run, uploads } = await start(t, () => ({}));
      const { code, stderr } = await run(write(home.path, 'facts.csv', CSV), ...args);
      assert.deepEqual([code, uploads().length], [2, 0]);
      assert.match(stderr, message);
    });
  }

  it('needs --format where the name does not tell the form, and a file that is there', async (t) => {
    const { run, uploads } = await start(t, () => ({}));
    assert.match((await run('-', ...own)).stderr, /--format: the name of the file does not tell/);
    const missing = await run('missing.csv', ...own);
    assert.equal(missing.code, 2);
    assert.match(missing.stderr, /cannot read missing\.csv: no such file/);
    assert.equal(uploads().length, 0);
  });
});
