import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { describe, it } from 'node:test';
import type { Reply } from '../capturing-server.ts';
import { startCapturingServer } from '../capturing-server.ts';
import type { RunOptions } from '../program.ts';
import { createHome, KEY } from '../program.ts';

const finding = {
  ...{ stage: 'pii_scanner', type: 'ssn', score: 0.99, field: 'response' },
  ...{ start: 12, end: 23, action: 'block' },
};
const scores = { pii: 0.9905, injection: 0.01, toxicity: null, hallucination: 0 };
const stages = [{ name: 'pii_scanner', status: 'ok', durationMs: 1 }];

function passed(verdict: 'allowed' | 'flagged'): Reply {
  const facts = {
    id: 'scn_1',
    policyIds: [],
    durationMs: 1,
    createdAt: '2026-01-01T00:00:00.000Z',
  };
  const findings = verdict === 'flagged' ? [{ ...finding, action: 'flag' }] : [];
  return { body: { data: { ...facts, verdict, scores, stages, findings } } };
}

function blocked(reason = 'pii_scanner found ssn'): Reply {
  const error = { code: 'PII_DETECTED', message: 'Blocked.', statusCode: 403, requestId: 'req_1' };
  const governance = {
    ...{ verdict: 'blocked', policy_id: 'pol_1', violation_reason: reason, scan_id: 'scn_1' },
    ...{ scores, stages, findings: [finding] },
  };
  return { status: 403, body: { error, governance } };
}

async function start(t: TestContext, reply: Reply) {
  const server = await startCapturingServer(t, () => reply);
  const home = createHome(t);
  const env = { PROBITY_API_KEY: KEY, PROBITY_BASE_URL: server.url };
  const run = (args: readonly string[], options: RunOptions = {}) =>
    home.run(['scan', ...args], { ...options, env });
  return { server, home, run };
}

describe('scan', () => {
  for (const [name, reply, codes] of [
    ['allowed', passed('allowed'), [0, 0, 0]],
    ['flagged', passed('flagged'), [0, 1, 0]],
    ['blocked', blocked(), [1, 1, 0]],
  ] as const) {
    it(`exits by --fail-on for a text that is ${name}, and prints the verdict as JSON`, async (t) => {
      const { run } = await start(t, reply);
      const input = 'hello';
      const runs = [
        await run([], { input }),
        await run(['-', '--fail-on', 'flagged'], { input }),
        await run(['--fail-on', 'never', '--format', 'json'], { input }),
      ];
      assert.deepEqual(
        runs.map(({ code }) => code),
        codes,
      );
      for (const { stdout, stderr } of runs) {
        assert.equal(JSON.parse(stdout).verdict, name);
        assert.equal(stderr, '');
      }
    });
  }

  it('sends the file as the response, with prompt and policies', async (t) => {
    const { server, home, run } = await start(t, passed('allowed'));
    writeFileSync(`${home.path}/answer.txt`, '\ufeffGrüße\n');
    writeFileSync(`${home.path}/prompt.txt`, 'Say hello');
    const args = ['answer.txt', '--prompt', 'prompt.txt', '--policy', 'pol_1', '--policy', 'pol_2'];
    assert.equal((await run(args)).code, 0);
    const body = JSON.parse(server.requests[0]?.body ?? '');
    const policyIds = ['pol_1', 'pol_2'];
    assert.deepEqual(body, { prompt: 'Say hello', response: 'Grüße\n', policyIds });
  });

  it('sends a file of JSON as the body of the request', async (t) => {
    const { server, home, run } = await start(t, passed('allowed'));
    const body = { prompt: 'a', response: 'b', context: ['c'], metadata: { app: 'shop' } };
    writeFileSync(`${home.path}/scan.json`, JSON.stringify(body));
    assert.equal((await run(['scan.json'])).code, 0);
    assert.deepEqual(JSON.parse(server.requests[0]?.body ?? ''), body);
    assert.equal((await run(['scan.json', '--input', 'text'])).code, 0);
    assert.deepEqual(JSON.parse(server.requests[1]?.body ?? ''), {
      response: JSON.stringify(body),
    });
  });

  it('prints a table with the places, and nothing that commands the terminal', async (t) => {
    const { run } = await start(t, blocked('found \u001b[2J ssn'));
    const { code, stdout } = await run(['--format', 'table'], {
      input: 'first line\nSSN 536-22-8145',
    });
    assert.equal(code, 1);
    assert.match(stdout, /^blocked {2}found \ufffd\[2J ssn\n/);
    assert.match(stdout, /^pii 0\.99\n/m);
    assert.match(stdout, /^response:2:2 {2}pii_scanner {2}ssn {3}0\.99 {3}block\n/m);
    assert.ok(!stdout.includes('536') && !stdout.includes('\u001b'));
  });

  for (const [args, options, message] of [
    [['missing.txt'], {}, /cannot read missing\.txt: no such file/],
    [['.'], {}, /cannot read \.: it is a directory/],
    [[], { input: '' }, /text and prompt are empty/],
    [[], { input: new Uint8Array([0xff, 0xfe, 0x41]) }, /is not UTF-8/],
    [['--input', 'json'], { input: '[1]' }, /expected a JSON object with "response"/],
    [['--prompt', '-'], { input: 'x' }, /standard input has the response already/],
    [['a', 'b'], {}, /too many arguments/],
    [['--fail-on', 'all'], {}, /Allowed choices are blocked, flagged, never/],
  ] as const) {
    it(`${['scan', ...args].join(' ')} with ${JSON.stringify(options)} is exit code 2`, async (t) => {
      const { server, run } = await start(t, passed('allowed'));
      const { code, stderr, stdout } = await run(args, options);
      assert.deepEqual([code, stdout, server.requests.length], [2, '', 0], stderr);
      assert.match(stderr, message);
    });
  }
});
