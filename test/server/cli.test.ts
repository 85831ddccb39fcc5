import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createProbity } from '@probity/core';
import { evidence } from '@probity/evidence';
import { spawnProgram, temporaryFolder, until } from '@probity/test-support';
import { sampleTargets } from '@probity/test-support/combinations';
import { verifyWebhook } from '@probity/webhooks/verify';
import { bootstrap, call, emptyDatabases, LEAK, serve } from './support.ts';

const PROGRAM = fileURLToPath(new URL('../../../packages/cli/bin/probity.js', import.meta.url));

/** A server, and the command of a person who has logged in to it. */
async function start(t: TestContext, location: string, plan = 'enterprise') {
  const { url } = await serve(t, location);
  const owner = await bootstrap(location, plan);
  const { path: home } = temporaryFolder(t);
  const spawn = (args: readonly string[], env = {}) =>
    spawnProgram(process.execPath, [PROGRAM, ...args], {
      test: t,
      cwd: home,
      env: { XDG_CONFIG_HOME: home, HOME: home, NO_COLOR: undefined, ...env },
    });
  const probity = async (...args: string[]) => {
    const program = await spawn(args);
    const code = await program.exited;
    return { code, stdout: program.stdout, stderr: program.stderr };
  };
  const env = { PROBITY_API_KEY: owner.api_key };
  const login = await spawn(['login', '--base-url', url], env);
  assert.equal(await login.exited, 0, login.stderr);
  return { url, owner, home, probity, spawn };
}

/** The output file of a run with two providers, of which one has a failing test. */
function evaluation(time: string) {
  const result = (provider: string, success: boolean) => ({
    provider: { id: provider, label: '' },
    prompt: { raw: 'marker-prompt', label: 'first' },
    vars: { question: 'marker-variable' },
    response: { output: 'marker-output' },
    success,
    score: success ? 1 : 0,
    failureReason: success ? 0 : 1,
    gradingResult: {
      pass: success,
      score: success ? 1 : 0,
      reason: 'Expected output "marker-output" to contain "x"',
      componentResults: [{ pass: success, assertion: { type: 'contains', value: 'x' } }],
    },
  });
  const results = [result('first', true), result('first', false), result('second', true)];
  const stats = { successes: 2, failures: 1, errors: 0 };
  return { evalId: 'eval-1', results: { version: 3, timestamp: time, results, stats } };
}

for (const empty of sampleTargets(emptyDatabases)) {
  describe(`the command probity against a server on ${empty.name}`, () => {
    it('imports a knowledge base as CSV and JSON, again without a change, and tells refused rows', async (t) => {
      const { url, owner, home, probity } = await start(t, await empty.create(t));
      const header = 'claim,source_url,category,confidence\n';
      writeFileSync(
        `${home}/facts.csv`,
        `${header}Water boils at 100 °C,https://a.example/,physics,high\nIce melts at 0 °C,https://a.example/,physics,0.8\n`,
      );
      const own = ['--type', 'knowledge-base', '--organization', owner.organization_id];
      const first = await probity('import', 'facts.csv', ...own, '--format', 'csv');
      assert.deepEqual([first.code, first.stderr], [0, '']);
      assert.equal(first.stdout, 'rows 2, created 2, updated 0, unchanged 0, failed 0\n');
      const again = await probity('import', 'facts.csv', ...own);
      assert.equal(again.stdout, 'rows 2, created 0, updated 0, unchanged 2, failed 0\n');
      const rows = [
        { claim: 'Ice melts at 0 °C', source_url: 'https://a.example/', confidence: 'low' },
        { claim: 'Steam is water', source_url: 'nowhere' },
      ];
      writeFileSync(`${home}/facts.json`, JSON.stringify(rows));
      const json = await probity('import', 'facts.json', ...own, '--format', 'json');
      assert.equal(json.code, 1, json.stderr);
      assert.match(
        json.stdout,
        /^rows 2, created 0, updated 1, unchanged 0, failed 1\nline 2 {2}source_url: must be/,
      );
      const strict = await probity('import', 'facts.json', ...own, '--strict');
      assert.equal(strict.code, 5);
      assert.match(strict.stderr, /line 2: source_url: must be an http/);
      const other = await probity(
        'import',
        'facts.csv',
        '--type',
        'knowledge-base',
        '--organization',
        'org_other',
      );
      assert.equal(other.code, 2);
      const { body } = await call(`${url}/api/v1/knowledge/nuggets`, owner.api_key);
      const ice = body.data.find(({ claim }: { claim: string }) => claim.startsWith('Ice'));
      assert.deepEqual([body.total, ice.confidence, ice.category], [2, 0.3, null]);
    });

    it('imports an evaluation once, lists the evidence and verifies its chain', async (t) => {
      const { home, probity, url, owner } = await start(t, await empty.create(t));
      const created = await call(`${url}/api/v1/compliance/ai-systems`, owner.api_key, 'POST', {
        name: 'Support assistant',
      });
      assert.equal(created.status, 201, JSON.stringify(created.body));
      const system = created.body.data.id;
      const write = (name: string, time: string) =>
        writeFileSync(`${home}/${name}`, JSON.stringify(evaluation(time)));
      write('first.json', '2026-01-31T00:00:00.000Z');
      write('second.json', '2026-02-01T00:00:00.000Z');
      const about = ['--ai-system-id', system, '--label', 'a,b=c:d', '--json'];
      const imported = await probity('import', 'first.json', ...about);
      assert.equal(imported.code, 0, imported.stderr);
      const { evidenceIds, evidenceCreated, warnings } = JSON.parse(imported.stdout);
      assert.deepEqual([evidenceIds.length, evidenceCreated, warnings], [3, 3, []]);
      const again = await probity('import', 'first.json', ...about);
      assert.deepEqual([again.code, JSON.parse(again.stdout).evidenceSkipped], [0, 3]);
      assert.match((await probity('import', 'second.json')).stdout, /3 evidence records created/);

      const label = ['--label', 'a,b=c:d', '--ai-system-id', system];
      const listed = await probity('evidence', 'list', ...label, '--limit', '2');
      assert.equal(listed.code, 0, listed.stderr);
      const records = listed.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      assert.deepEqual([records.length, records[0].labels], [2, { 'a,b': 'c:d' }]);
      const all = await probity('evidence', 'list');
      assert.equal(all.stdout.trimEnd().split('\n').length, 6);
      assert.ok(!all.stdout.includes('marker-'));

      const verified = await probity('evidence', 'verify');
      assert.equal(verified.code, 0, verified.stderr);
      assert.match(
        verified.stdout,
        /^intact {2}6 records of 6 nodes verified\nend {2}6:[\da-f]{64}\n$/,
      );
    });

    it('shows what evidence supports, by AI system, and exports it', async (t) => {
      const { home, probity } = await start(t, await empty.create(t));
      const desk = ['ai-systems', 'create', 'Desk', '--risk-class', 'high', '--owner', 'Care'];
      const created = await probity(...desk);
      assert.equal(created.code, 0, created.stderr);
      const { id } = JSON.parse(created.stdout);
      const run = evaluation('2026-01-31T00:00:00.000Z');
      writeFileSync(`${home}/run.json`, JSON.stringify(run));
      const imported = await probity('import', 'run.json', '--ai-system-id', id);
      assert.equal(imported.code, 0, imported.stderr);

      const lines = async (...args: string[]) => {
        const { code, stdout, stderr } = await probity(...args);
        assert.equal(code, 0, stderr);
        return stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
      };
      const [row, ...others] = await lines('coverage', '--framework', 'soc-2');
      assert.deepEqual([row.aiSystem.name, others], ['Desk', []]);
      const supported = row.obligations.filter(
        (each: { evidenceCount: number }) => each.evidenceCount > 0,
      );
      assert.ok(supported.length > 0, JSON.stringify(row));
      const listed = await lines('obligations', '--framework', 'soc2');
      assert.equal(listed.length, row.obligations.length);
      const without = await lines('obligations', '--framework', 'soc2', '--without-evidence');
      assert.equal(without.length, listed.length - supported.length);
      const records = await lines('evidence', 'list', '--obligation', supported[0].id);
      assert.ok(records.length > 0);

      const path = `${home}/evidence.jsonl`;
      const exported = await probity('evidence', 'export', '--output', path);
      assert.equal(exported.code, 0, exported.stderr);
      assert.match((await probity('evidence', 'verify', path)).stdout, /^intact {2}3 records of 3/);
      const csv = await probity('evidence', 'export', '--format', 'csv', '--framework', 'soc-2');
      assert.match(csv.stdout, /^\ufeffsequence,id,/);
      const json = await probity('evidence', 'export', '--format', 'json', '--ai-system-id', id);
      assert.equal(JSON.parse(json.stdout).data.length, 3);

      const kept = await probity('ai-systems', 'delete', id);
      assert.equal(kept.code, 5);
      assert.match(kept.stderr, /CONFLICT/);
      const changes = ['ai-systems', 'update', id, '--risk-class', 'none', '--owner', ''];
      const [changed] = await lines(...changes);
      assert.deepEqual([changed.name, changed.riskClass, changed.owner], ['Desk', null, null]);
      const [unused] = await lines('ai-systems', 'create', 'Unused');
      assert.equal((await probity('ai-systems', 'delete', unused.id)).code, 0);
      assert.deepEqual(
        (await lines('ai-systems', 'list')).map(({ name }) => name),
        ['Desk'],
      );
    });

    it('scans, lists the alert, and forwards its events signed', async (t) => {
      const { home, probity, spawn } = await start(t, await empty.create(t));
      const requests: { body: string; headers: Record<string, string> }[] = [];
      const receiver = createServer(async (message, response) => {
        let body = '';
        for await (const chunk of message) body += String(chunk);
        requests.push({ body, headers: message.headers as Record<string, string> });
        response.end();
      }).listen(0, '127.0.0.1');
      t.after(() => void receiver.close());
      await until(() => receiver.listening, 'the receiver listens');
      const { port } = receiver.address() as AddressInfo;
      const target = ['--forward-to', `http://127.0.0.1:${port}/hook`];
      const listener = await spawn(['webhooks', 'listen', ...target, '--event', 'alert.created']);
      await until(() => listener.stderr.includes('Signing secret'), 'the command listens');

      writeFileSync(`${home}/answer.txt`, LEAK);
      const scanned = await probity('scan', 'answer.txt');
      assert.equal(scanned.code, 1, scanned.stderr);
      const { verdict, code } = JSON.parse(scanned.stdout);
      assert.deepEqual([verdict, code], ['blocked', 'PII_DETECTED']);
      const alert = JSON.parse((await probity('alerts', '--type', 'pii')).stdout);
      await until(() => requests.length > 0, 'the event');
      const [, secret = ''] = /secret: (whsec_\S+)/.exec(listener.stderr) ?? [];
      const { body = '', headers = {} } = requests[0] ?? {};
      const { type, data } = await verifyWebhook(body, headers, secret);
      assert.equal(type, 'alert.created');
      assert.equal((data as { alertId: string }).alertId, alert.id);
      assert.equal(await listener.terminate(), 0);
    });
  });
}

describe('the command probity', () => {
  const [sqlite] = emptyDatabases;

  it('names the plan that an import needs, and the organization that the key has', async (t) => {
    const { home, owner, probity } = await start(t, (await sqlite?.create(t)) ?? '', 'starter');
    const who = JSON.parse((await probity('whoami', '--json')).stdout);
    assert.deepEqual(
      [who.organization.id, who.organization.plan, who.role],
      [owner.organization_id, 'starter', 'owner'],
    );
    writeFileSync(`${home}/a.json`, JSON.stringify(evaluation('2026-01-31T00:00:00.000Z')));
    const { code, stderr } = await probity('import', 'a.json');
    assert.equal(code, 4);
    assert.match(stderr, /INSUFFICIENT_PERMISSIONS/);
    const facts = ['--type', 'knowledge-base', '--format', 'json'];
    const other = await probity('import', 'a.json', ...facts, '--organization', 'org_other');
    assert.match(other.stderr, /the API key is of org_/);
    assert.equal(other.code, 2);
  });

  it('says that a run was imported already, also when its results were changed since', async (t) => {
    const { home, probity } = await start(t, (await sqlite?.create(t)) ?? '');
    const run = evaluation('2026-01-31T00:00:00.000Z');
    const write = () => writeFileSync(`${home}/run.json`, JSON.stringify(run));
    write();
    assert.equal((await probity('import', 'run.json')).stderr, '');
    const same = await probity('import', 'run.json');
    assert.deepEqual(
      [same.code, same.stderr],
      [0, 'probity: nothing new: this run was imported already\n'],
    );
    for (const each of run.results.results) Object.assign(each, { success: true, score: 1 });
    write();
    const changed = await probity('import', 'run.json', '--json');
    assert.equal(changed.code, 0);
    assert.match(changed.stderr, /^probity: warning: .*\n/);
    assert.equal(JSON.parse(changed.stdout).evidenceCreated, 0);
  });

  it('names the option, the values and the nearest one that the server refuses', async (t) => {
    const { probity } = await start(t, (await sqlite?.create(t)) ?? '');
    const framework = await probity('evidence', 'list', '--framework', 'EU AI Akt');
    assert.equal(framework.code, 2);
    assert.match(framework.stderr, /^probity: --framework: must be one of EU AI Act, .*SOC 2\n/);
    assert.match(framework.stderr, /\(Did you mean eu-ai-act\?\)\n$/);
    const obligation = await probity('evidence', 'export', '--format', 'csv', '--obligation', 'x');
    assert.deepEqual(
      [obligation.code, obligation.stderr],
      [2, 'probity: --obligation: must be the id of an obligation\n'],
    );
    const name = await probity('ai-systems', 'create', '  ');
    assert.deepEqual(
      [name.code, name.stderr],
      [2, 'probity: <name>: must have 1 to 200 characters\n'],
    );
  });

  it('logs in to an application that has the evidence alone', async (t) => {
    const host = createProbity({
      database: 'memory',
      authenticate: ({ token }) =>
        token === 'token-of-the-host'
          ? { organizationId: 'tenant-7', memberId: 'ann', role: 'editor' }
          : null,
      capabilities: [evidence()],
    });
    await host.migrate();
    await host.start();
    const server = createServer(host.node).listen(0, '127.0.0.1');
    t.after(async () => {
      server.closeAllConnections();
      server.close();
      await host.stop();
    });
    await until(() => server.listening, 'the application listens');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { path: home } = temporaryFolder(t);
    const probity = async (args: readonly string[], key?: string) => {
      const env = { PROBITY_API_PATH: '/probity', PROBITY_API_KEY: key };
      const program = await spawnProgram(process.execPath, [PROGRAM, ...args], {
        test: t,
        cwd: home,
        env: { XDG_CONFIG_HOME: home, HOME: home, ...env },
      });
      return { code: await program.exited, stdout: program.stdout, stderr: program.stderr };
    };
    const login = ['login', '--base-url', url];
    assert.equal((await probity(login, 'token-of-another')).code, 4);
    const { stdout, stderr } = await probity(login, 'token-of-the-host');
    assert.match(stdout, /^Logged in to http:\S+ as tenant-7, with the role editor\.\n/, stderr);
    const who = JSON.parse((await probity(['whoami', '--json'])).stdout);
    assert.deepEqual([who.organization.id, who.memberId], ['tenant-7', 'ann']);
    writeFileSync(`${home}/a.json`, JSON.stringify(evaluation('2026-01-31T00:00:00.000Z')));
    assert.equal((await probity(['import', 'a.json'])).code, 0);
    assert.match((await probity(['evidence', 'verify'])).stdout, /^intact {2}3 records/);
  });

  it('stores a key that others cannot read, and ends with 4 once it is revoked', async (t) => {
    const { home, owner, url, probity } = await start(t, (await sqlite?.create(t)) ?? '');
    const stored = JSON.parse(readFileSync(`${home}/probity/credentials.json`, 'utf8'));
    assert.deepEqual(stored, { apiKey: owner.api_key, baseUrl: url });
    const keys = `${url}/v1/organizations/${owner.organization_id}/api-keys`;
    const { body } = await call(keys, owner.api_key);
    const revoked = await call(`${keys}/${body.api_keys[0].id}`, owner.api_key, 'DELETE');
    assert.equal(revoked.status, 204);
    const { code, stderr } = await probity('alerts');
    assert.equal(code, 4, stderr);
    assert.ok(!stderr.includes(owner.api_key));
  });
});
