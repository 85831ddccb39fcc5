import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { describe, it } from 'node:test';
import type { Reply } from '../capturing-server.ts';
import { pageOf, startCapturingServer } from '../capturing-server.ts';
import { createHome, KEY, onTerminal } from '../program.ts';

function obligation(id: string, members: object = {}) {
  return {
    ...{ id, framework: 'EU AI Act', reference: `Article ${id}`, title: `Title of ${id}` },
    ...{ keywords: ['testing'], appliesFrom: '2026-08-02', role: ['provider'], riskClasses: null },
    ...{ evidenceCount: 0, supportingCount: 0, adverseCount: 0, newestEvidence: null },
    ...members,
  };
}

const CATALOGUE = [
  obligation('9', { riskClasses: ['high'], evidenceCount: 4, supportingCount: 3, adverseCount: 1 }),
  obligation('26', { role: ['deployer'], keywords: ['oversight'] }),
  obligation('soc', { role: [], riskClasses: ['high', 'limited'] }),
];

async function start(t: TestContext, reply: Reply = { body: pageOf(CATALOGUE) }) {
  const { url, requests } = await startCapturingServer(t, () => reply);
  const env = { PROBITY_API_KEY: KEY, PROBITY_BASE_URL: url };
  const home = createHome(t);
  return { requests, env, run: (...args: string[]) => home.run(args, { env }) };
}

describe('obligations', () => {
  for (const [args, expected] of [
    [[], ['9', '26', 'soc']],
    [
      ['--role', 'deployer'],
      ['26', 'soc'],
    ],
    [
      ['--risk-class', 'limited'],
      ['26', 'soc'],
    ],
    [['--without-evidence'], ['26', 'soc']],
    [['--q', 'OVERSIGHT'], ['26']],
    [['--q', 'article 9'], ['9']],
    [['--limit', '1'], ['9']],
  ] as const) {
    it(`${args.join(' ') || 'without options'} are ${expected.join(', ')}`, async (t) => {
      const { run } = await start(t);
      const { code, stdout } = await run('obligations', ...args);
      const ids = stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).id);
      assert.deepEqual([code, ids], [0, expected]);
    });
  }

  it('on a terminal are a table', async (t) => {
    const { env } = await start(t);
    const shown = await onTerminal(['obligations'], { ...env, NO_COLOR: '1' });
    if (shown === null) return t.skip('there is no script(1): the terminal was NOT tried');
    assert.match(shown, /^id +applies from +supporting +adverse +title\n/);
    assert.match(shown, /^9 +2026-08-02 +3 +1 +Title of 9$/m);
  });
});

describe('the name of a framework', () => {
  for (const [text, name] of [
    ['eu-ai-act', 'EU AI Act'],
    ['EU AI Act', 'EU AI Act'],
    ['iso42001', 'ISO 42001'],
    ['nist-cosais', 'NIST COSAiS (draft)'],
    ['a newer one', 'a newer one'],
  ] as const) {
    it(`${text} asks for ${name}`, async (t) => {
      const { run, requests } = await start(t);
      assert.equal((await run('evidence', 'list', '--framework', text)).code, 0);
      const { searchParams } = new URL(requests[0]?.path ?? '', 'http://a');
      assert.equal(searchParams.get('framework'), name);
    });
  }

  it('that the server does not know is exit code 2, with those it knows and the nearest', async (t) => {
    const details = [{ field: 'framework', message: 'must be one of EU AI Act, SOC 2' }];
    const error = { code: 'VALIDATION_ERROR', message: 'It is invalid.', statusCode: 422, details };
    const { run } = await start(t, { status: 422, body: { error } });
    const { code, stderr } = await run('obligations', '--framework', 'eu-ai-akt');
    assert.deepEqual(
      [code, stderr],
      [2, 'probity: --framework: must be one of EU AI Act, SOC 2\n(Did you mean eu-ai-act?)\n'],
    );
    const known = await run('obligations', '--framework', 'soc-2');
    assert.ok(!known.stderr.includes('Did you mean'), 'a name that this command knows');
    const far = await run('obligations', '--framework', 'Nonsense');
    assert.equal(far.stderr, 'probity: --framework: must be one of EU AI Act, SOC 2\n');
  });

  it('and a field that is no option: the failure is of the server', async (t) => {
    const details = [{ field: 'other', message: 'is wrong' }];
    const error = { code: 'VALIDATION_ERROR', message: 'It is invalid.', statusCode: 422, details };
    const { run } = await start(t, { status: 422, body: { error } });
    const { code, stderr } = await run('obligations');
    assert.equal(code, 5);
    assert.match(stderr, /^probity: It is invalid \(VALIDATION_ERROR.*\)\n {2}other: is wrong\n$/);
  });
});
