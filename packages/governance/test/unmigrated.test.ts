import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Principal } from '@probity/core';
import { createLogger, createRuntime } from '@probity/core';
import { createSqliteDatabase } from '@probity/core/sql';
import { serveRouter } from '@probity/core/testing';
import { createPipeline } from '@probity/pipeline';
import { temporaryFolder } from '@probity/test-support';
import { createGovernance } from '../src/index.ts';
import { createGovernanceRouter } from '../src/koa.ts';
import { createSqlGovernanceStorages } from '../src/sql.ts';
import { BENIGN } from './world.ts';

const PRINCIPAL: Principal = {
  organizationId: 'acme',
  memberId: 'ann',
  keyId: 'key_1',
  role: 'owner',
  plan: 'free',
};

const REASON = /The database lacks the table probity_\w+: apply Probity's migrations/;

test('without the migrations a scan fails with the call that applies them, and a router logs it', async (t) => {
  const path = join(temporaryFolder(t).path, 'test.db');
  const database = createSqliteDatabase({ path });
  t.after(() => database.close());
  const governance = createGovernance(createRuntime({ database }), {
    ...createSqlGovernanceStorages(database),
    pipeline: createPipeline(),
  });
  const context = { principal: PRINCIPAL, requestId: 'req_1', address: null };
  await assert.rejects(governance.scans.scan(context, { response: BENIGN }), REASON);

  const lines: string[] = [];
  const router = createGovernanceRouter(governance, {
    authenticate: async () => PRINCIPAL,
    logger: createLogger({ write: (line) => lines.push(line) }),
  });
  const request = await serveRouter<{ error: { code: string } }>(t, router, { token: 'any' });
  const answer = await request('POST', '/governance/scan', { response: BENIGN });
  assert.equal(answer.status, 500);
  assert.equal(answer.body.error.code, 'INTERNAL_ERROR');
  assert.match(lines.join(''), REASON);
});
