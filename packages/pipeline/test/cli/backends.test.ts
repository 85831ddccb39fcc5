import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { main } from '../../src/cli/main.ts';
import { deciding, PATIENCE_MS, refusing, startModelServer } from '../backends/model-server.ts';

const ROW = {
  id: 1,
  text: 'The night boat leaves from the southern pier at nine.',
  context: 'The night boat leaves from the northern pier at nine.',
};

const KEY = `$\{JUDGE_KEY}`;

/** Runs `probity-scan` on one row with a configuration in a file. */
async function scan(config: unknown, env: Record<string, string>, args: readonly string[] = []) {
  const folder = mkdtempSync(join(tmpdir(), 'probity-scan-'));
  const printed = { stdout: '', stderr: '' };
  try {
    const file = join(folder, 'probity.json');
    writeFileSync(file, JSON.stringify(config));
    const write = (name: keyof typeof printed) => (text: string) => {
      printed[name] += text;
      return true;
    };
    async function* stdin() {
      yield `${JSON.stringify(ROW)}\n`;
    }
    const code = await main(['--jsonl', '--config', file, ...args], {
      stdin: stdin(),
      stdout: { write: write('stdout'), once: () => {}, on: () => {} },
      stderr: { write: write('stderr') },
      env,
    });
    return { code, ...printed };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function settings(baseUrl: string, more: object = {}) {
  const options = { judge: { from: 0, to: 1 } };
  return {
    stages: [{ name: 'hallucination_detector', options, timeoutMs: PATIENCE_MS }],
    backends: { judge: { kind: 'openai', baseUrl, model: 'm', timeoutMs: PATIENCE_MS, ...more } },
  };
}

describe('probity-scan with back ends', () => {
  for (const threads of ['1', '2']) {
    const args = ['--threads', threads];

    it(`probity-scan with back ends uses the judge of the configuration in ${threads} threads`, async (test) => {
      const { baseUrl, calls } = await startModelServer(test, deciding('supported', 1));
      const config = settings(baseUrl, { apiKey: KEY });
      const { code, stdout, stderr } = await scan(config, { JUDGE_KEY: 'sk-test-1' }, args);
      assert.deepEqual([code, stderr], [0, '']);
      assert.equal(JSON.parse(stdout).scores.hallucination, 0);
      assert.equal(calls[0]?.authorization, 'Bearer sk-test-1');
    });

    it(`probity-scan with back ends continues and reports when the judge fails, in ${threads} threads`, async (test) => {
      const { baseUrl } = await startModelServer(test, refusing(400));
      const { code, stdout, stderr } = await scan(settings(baseUrl), {}, args);
      assert.equal(code, 0);
      assert.equal(typeof JSON.parse(stdout).scores.hallucination, 'number');
      assert.match(stderr, /^probity-scan: a back end failed \(1x\): .*status 400\n$/);
    });
  }

  it('probity-scan with back ends names a missing environment variable and scans nothing', async () => {
    const config = settings('http://localhost:1/v1', { apiKey: KEY });
    const { code, stdout, stderr } = await scan(config, {});
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /^probity-scan: backends\.judge\.apiKey: .*JUDGE_KEY is not set\n$/);
  });
});
