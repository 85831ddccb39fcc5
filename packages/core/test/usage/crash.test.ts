import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Program } from '@probity/test-support';
import { spawnProgram } from '@probity/test-support';
import { newOrganization } from '../../src/testing/records.ts';
import { programPath, sqlTargets } from '../support.ts';

const LIMIT = 1_000;
const KILLS = 3;
/** A hundredth of the limit, and as many calls on their way. */
const LOST_AT_MOST = 10 + 10;

function spentBy({ stdout }: Program): number {
  return stdout.split('\n').length - 1;
}

for (const target of sqlTargets) {
  describe(`${target.name}: processes that spend a quota together`, () => {
    test('killed ones lose no more than their blocks, and nobody gets past the limit', async (t) => {
      const opened = await target.open();
      t.after(opened.dispose);
      assert.ok(opened.kind === 'sql');
      const { url } = opened;
      const organization = newOrganization({ plan: 'free' });
      await opened.platform.transaction((tx) => tx.insertOrganization(organization));
      const start = () =>
        spawnProgram(process.execPath, [programPath('spender'), url, organization.id], { test: t });
      let spent = 0;
      for (let kill = 1; kill <= KILLS; kill += 1) {
        const [killed, survivor] = await Promise.all([start(), start()]);
        for (const program of [killed, survivor]) {
          let seen = 0;
          const enough = program.waitForLine(() => {
            seen += 1;
            return seen >= 20 * kill;
          }, 30_000);
          // On a fast machine the quota may be spent, and the program at its end, before that.
          await Promise.race([enough.catch(() => undefined), program.exited]);
        }
        await killed.kill9();
        await survivor.kill9();
        spent += spentBy(killed) + spentBy(survivor);
      }
      const last = await Promise.all([start(), start()]);
      for (const program of last) {
        assert.equal(await program.exited, 0, program.stderr);
        spent += spentBy(program);
      }
      t.diagnostic(`${spent} of ${LIMIT} calls were let through`);
      assert.ok(spent <= LIMIT, `${spent}`);
      // Two processes were killed each time; those that end leave at most the other's last block.
      assert.ok(spent >= LIMIT - 2 * KILLS * LOST_AT_MOST - LOST_AT_MOST, `${spent}`);
    });
  });
}
