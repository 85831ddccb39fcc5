import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { describe, it } from 'node:test';
import { errorReply, pageOf, startCapturingServer } from '../capturing-server.ts';
import { createHome, KEY, onTerminal } from '../program.ts';

const ID = '01970000-0000-7000-8000-000000000001';

function covered(id: string, supportingCount: number, applicability = 'applies', adverseCount = 0) {
  const evidenceCount = supportingCount + adverseCount;
  const title = `Title of ${id}`;
  const createdAt = '2026-01-31T00:00:00.000Z';
  const newestEvidence = evidenceCount > 0 ? { id: ID, title: 'Run', createdAt } : null;
  const framework = id.startsWith('soc') ? 'SOC 2' : 'EU AI Act';
  const facts = { framework, reference: `Ref ${id}`, title, appliesFrom: null };
  const counts = { evidenceCount, supportingCount, adverseCount };
  return { id, ...facts, applicability, ...counts, newestEvidence };
}

function systemNamed(name: string, riskClass: string | null) {
  return { id: ID, name, riskClass };
}

const ROWS = [
  {
    aiSystem: systemNamed('Desk', 'limited'),
    obligations: [covered('a', 12), covered('c', 0), covered('soc-1', 0)],
  },
  {
    aiSystem: systemNamed('Screening\u001b[2J', null),
    obligations: [
      covered('a', 0, 'applies_later'),
      covered('b', 0, 'unclassified'),
      covered('c', 2),
      covered('soc-1', 1, 'applies', 2),
      covered('soc-2', 0, 'applies', 3),
    ],
  },
  { aiSystem: null, obligations: [covered('a', 1), covered('c', 1), covered('soc-1', 1)] },
];

async function start(t: TestContext, rows: readonly unknown[] = ROWS) {
  const { url, requests } = await startCapturingServer(t, ({ path }) =>
    path.startsWith('/api/v1/compliance/coverage')
      ? { body: pageOf(rows) }
      : errorReply(404, 'RESOURCE_NOT_FOUND', 'There is no such AI system.'),
  );
  const env = { PROBITY_API_KEY: KEY, PROBITY_BASE_URL: url };
  return { requests, env, home: createHome(t) };
}

describe('coverage', () => {
  it('on a terminal is a matrix by framework, as many AI systems wide as fit', async (t) => {
    const { env } = await start(t);
    const shown = await onTerminal(['coverage'], { ...env, NO_COLOR: '1' });
    if (shown === null) return t.skip('there is no script(1): the terminal was NOT tried');
    const act = [
      /^\[1\] Desk \(limited\): 1 of 3 obligations supported by evidence\n/,
      /\[2\] Screening\ufffd\[2J \(not classified\): 2 of 5 obligations.*, 2 with adverse evidence\n/,
      /\[3\] evidence about no AI system: 3 of 3 obligations/,
      /\nEntries: records that support, \+n! of failures/,
      /\n\nEU AI Act\n/,
      /reference +\[1\] +\[2\] +title\n/,
      /Ref a +12 2026-01-31 +later +Title of a\n/,
      /Ref b +\? +Title of b\n/,
      /Ref c +- +2 2026-01-31 +Title of c\n/,
      /\nreference +\[3\] +title\n/,
      /Ref a +1 2026-01-31 +Title of a\n/,
      /\nSOC 2\nreference +\[1\] +\[2\] +title\nRef soc-1 +- +1 \+2! 2026-01-31 +Title of soc-1\n/,
      /Ref soc-2 +0 \+3! 2026-01-31 +Title of soc-2\n/,
    ];
    let rest = shown;
    for (const part of act) {
      const found = part.exec(rest);
      assert.ok(found, `${part} in its place in:\n${shown}`);
      rest = rest.slice(found.index + found[0].length);
    }
    assert.ok(!/compl(y|ies|iant)/i.test(shown), 'evidence supports');
    assert.ok(!shown.includes('\u001b'));
    const colored = await onTerminal(['coverage'], env);
    assert.ok(colored?.includes('\u001b[32m12 2026-01-31'), String(colored));
  });

  it('elsewhere is a line of JSON for each AI system, narrowed by the server', async (t) => {
    const { home, env, requests } = await start(t);
    const { code, stdout } = await home.run(['coverage', '--framework', 'EU ai act'], { env });
    assert.equal(code, 0);
    assert.deepEqual(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
      ROWS,
    );
    assert.equal(requests[0]?.path, '/api/v1/compliance/coverage?framework=EU+AI+Act');
  });

  it('with --gaps has only what applies today and has no evidence', async (t) => {
    const { home, env } = await start(t);
    const { stdout } = await home.run(['coverage', '--gaps'], { env });
    const ids = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).obligations.map(({ id }: { id: string }) => id));
    assert.deepEqual(ids, [['c', 'soc-1'], ['soc-2']], 'and not the evidence about no AI system');
    const shown = (await onTerminal(['coverage', '--gaps'], { ...env, NO_COLOR: '1' })) ?? 'Ref c';
    assert.ok(shown.includes('Ref c') && !shown.includes('Ref a'), shown);
  });

  it('of an AI system that does not exist is a failure, of none says so', async (t) => {
    const { home, env } = await start(t, []);
    const unknown = await home.run(['coverage', '--ai-system-id', ID], { env });
    assert.deepEqual([unknown.code, unknown.stdout], [5, '']);
    assert.match(unknown.stderr, /There is no such AI system/);
    const shown = await onTerminal(['coverage'], { ...env, NO_COLOR: '1' });
    assert.ok(shown === null || shown === 'no AI systems and no evidence\n', String(shown));
  });
});
