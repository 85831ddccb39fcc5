import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { migrate } from '@probity/core/sql';
import { migrations } from '@probity/standalone';
import { until } from '@probity/test-support';
import { createProgram, interceptClaims, jobsOf } from './claims.ts';
import { openDatabase } from './open-database.ts';
import { emptyDatabases } from './support.ts';

for (const empty of emptyDatabases) {
  describe(`fairness on ${empty.name}`, () => {
    it('in every queue, a job of one tenant gets a place at once beside 600 older ones of another', async (t) => {
      const database = openDatabase(await empty.create(t), {});
      const { parts, queues } = createProgram(t, database);
      await migrate(database, migrations);
      await database.transaction((session) =>
        database.kernel(session).enqueueJobs(queues.flatMap(jobsOf)),
      );
      const claimed = interceptClaims(database);
      for (const part of parts) await part.start();
      await until(() => claimed.size === queues.length, 'every queue is claimed from');
      for (const queue of queues) {
        const tenants = (claimed.get(queue) ?? []).map(({ tenantId }) => tenantId);
        assert.ok(tenants.includes('late'), `${queue}: ${tenants}`);
        const greedy = tenants.filter((tenant) => tenant === 'greedy').length;
        assert.ok(greedy > 0 && greedy <= 48, `${queue}: ${greedy} of the greedy tenant`);
      }
    });
  });
}
