import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createClient } from '@probity/client';
import { createRuntime, createSecretBox, OUTSIDE_REQUEST } from '@probity/core';
import { createEvidenceAppender } from '@probity/evidence';
import { createSqlEvidenceStorage } from '@probity/evidence/sql';
import { spawnProgram, temporaryFolder } from '@probity/test-support';
import { sampleTargets } from '@probity/test-support/combinations';
import { newImport } from './evidence-recipes.ts';
import { withDatabase } from './open-database.ts';
import { bootstrap, call, ENCRYPTION_KEY, emptyDatabases, run, serve } from './support.ts';

const PROGRAM = fileURLToPath(new URL('../../../packages/cli/bin/probity.js', import.meta.url));
const DAY_MS = 86_400_000;

/** Appends records that are this many days old. */
function appendOld(location: string, organizationId: string, days: number): Promise<void> {
  return withDatabase(location, async (database) => {
    const storage = createSqlEvidenceStorage(database);
    const secretBox = createSecretBox([Buffer.from(ENCRYPTION_KEY, 'base64')]);
    const appender = createEvidenceAppender(createRuntime({ database, secretBox }));
    const createdAt = new Date(Date.now() - days * DAY_MS);
    const records = [1, 2, 3].map((number) => ({
      ...{ id: randomUUID(), organizationId, idempotencyKey: `old-${number}` },
      ...{ evidenceType: 'evaltool_eval', source: 'evaltool', title: 'Old', content: 'Old' },
      ...{ metadata: {}, aiSystemId: null, labels: {}, obligationIds: [] },
      ...{ occurredAt: null, createdAt },
    }));
    await storage.withTenantLock(OUTSIDE_REQUEST, organizationId, (tx) =>
      appender.append(tx, organizationId, records),
    );
  });
}

/** The command `probity evidence verify` on lines, in a folder of its own. */
function createVerifier(t: TestContext) {
  const { path: home } = temporaryFolder(t);
  return async (lines: readonly string[], ...flags: string[]) => {
    writeFileSync(`${home}/evidence.jsonl`, lines.join(''));
    const args = ['evidence', 'verify', 'evidence.jsonl', '--json', ...flags];
    const program = await spawnProgram(process.execPath, [PROGRAM, ...args], {
      test: t,
      cwd: home,
      env: { HOME: home, XDG_CONFIG_HOME: home },
    });
    const code = await program.exited;
    return { code, ...JSON.parse(program.stdout), stderr: program.stderr };
  };
}

for (const empty of sampleTargets(emptyDatabases)) {
  describe(`${empty.name}: an export of evidence`, () => {
    it('is verified without the server after retention, and every change of it is found', async (t) => {
      const location = await empty.create(t);
      const { api_key: apiKey, organization_id: organizationId } = await bootstrap(location);
      await appendOld(location, organizationId, 190);
      const env = { PROBITY_EVIDENCE_RETENTION_DAYS: '184' };
      const retention = run(t, ['retention', 'run', '--database', location], env);
      assert.equal(await retention.exited, 0, retention.stderr);
      const { url } = await serve(t, location);
      const path = `${url}/api/v1/compliance/evidence`;
      const ids: string[] = [];
      for (let index = 0; index < 3; index += 1) {
        const { body } = await call(`${path}/import/evaltool`, apiKey, 'POST', newImport());
        ids.push(...body.evidenceIds);
      }
      const labels = { team: 'search' };
      assert.equal((await call(`${path}/${ids[1]}`, apiKey, 'PATCH', { labels })).status, 200);

      const client = createClient({ apiKey, baseUrl: url });
      const file = await client.compliance.exportEvidence({ format: 'jsonl' });
      const lines = (await file.text()).split(/(?<=\n)/);
      const program = await spawnProgram(process.execPath, [PROGRAM, 'evidence', 'export'], {
        test: t,
        env: { HOME: temporaryFolder(t).path, PROBITY_API_KEY: apiKey, PROBITY_BASE_URL: url },
      });
      assert.equal(await program.exited, 0, program.stderr);
      assert.equal(program.stdout, lines.join(''));
      const { body } = await call(`${path}/verify`, apiKey);
      const verify = createVerifier(t);
      const { code, ...verified } = await verify(lines);
      const { nodes, records, removedThrough, end } = body.data;
      assert.deepEqual([nodes, records, removedThrough], [10, 6, 3]);
      assert.deepEqual(
        [code, verified],
        [0, { valid: true, nodes, records, removedThrough, fault: null, end, stderr: '' }],
      );

      const change = (index: number, from: string | RegExp, to: string) =>
        lines.map((line, each) => (each === index ? line.replace(from, to) : line));
      const [three, four, five, six] = lines.slice(3) as [string, string, string, string];
      const rest = lines.slice(0, 3);
      const after = lines.slice(7);
      const faults: ReadonlyArray<readonly [string[], number, string]> = [
        [change(4, /"content":"\w/, '"content":"X'), 5, 'changed'],
        [change(4, '"search"', '"other"'), 5, 'changed'],
        [change(8, /"obligationIds":\["/, '"obligationIds":["x'), 9, 'changed'],
        [[...rest, three, four, six, ...after], 6, 'missing'],
        [[...rest, three, five, four, six, ...after], 5, 'missing'],
        [[...rest, three, four, four, five, six, ...after], 5, 'added'],
      ];
      for (const [changed, sequence, reason] of faults) {
        const found = await verify(changed);
        assert.deepEqual([found.code, found.fault], [1, { sequence, reason }]);
      }
      // A file that ends early is intact so far: the end of an earlier verification tells that it is cut.
      const early = lines.slice(0, 4);
      assert.equal((await verify(early)).code, 0);
      const cut = await verify(early, '--expect', `${end.sequence}:${end.hash}`);
      assert.deepEqual([cut.code, cut.fault], [1, { sequence: 10, reason: 'missing' }]);
    });
  });
}
