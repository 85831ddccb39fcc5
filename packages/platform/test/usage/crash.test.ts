import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { OUTSIDE_REQUEST } from '@probity/core';
import type { Program } from '@probity/test-support';
import { spawnProgram } from '@probity/test-support';
import { newOrganization } from '../../src/testing/records.ts';
import { diskTargets, programPath } from '../support.ts';

/** Organizations whose quota is spent; RACE_ROUNDS=1000 makes this a hundred kills. */
const ROUNDS = Math.ceil(Number(process.env.RACE_ROUNDS ?? 20) / 40);
const LIMIT = 1_000;
const KILLS = 4;
/** A hundredth of the limit, plus as many calls in flight. */
const LOST_AT_MOST = 10 + 10;
const LINES_BEFORE_KILL = 40;

function spentBy({ stdout }: Program): number {
  return stdout.split('\n').length - 1;
}

/** Resolves when the program has spent some more, or, on a fast machine, the entire quota. */
async function spendSome(program: Program): Promise<void> {
  let seen = 0;
  const enough = program.waitForLine(() => {
    seen += 1;
    return seen >= LINES_BEFORE_KILL;
  });
  await Promise.race([enough.catch(() => undefined), program.exited]);
}

for (const target of diskTargets) {
  describe(`${target.name}: processes that spend a quota together`, () => {
    test(`processes killed while they spend a shared quota never exceed it, ${ROUNDS * KILLS} kills`, async (t) => {
      const opened = await target.open();
      t.after(opened.dispose);
      assert.ok(opened.kind === 'sql');
      const { url } = opened;
      for (let round = 0; round < ROUNDS; round += 1) {
        const organization = newOrganization({ plan: 'free' });
        await opened.storage.transaction(OUTSIDE_REQUEST, (tx) =>
          tx.insertOrganization(organization),
        );
        const args = [programPath('spender'), url, organization.id];
        const start = () => spawnProgram(process.execPath, args, { test: t });
        const all = await Promise.all([start(), start()]);
        for (let kill = 0; kill < KILLS; kill += 1) {
          // The other program continues and is killed next.
          const killed = all[kill] as Program;
          await spendSome(killed);
          await killed.kill9();
          all.push(await start());
        }
        for (const program of all.slice(-2)) {
          assert.equal(await program.exited, 0, program.stderr);
        }
        const spent = all.reduce((sum, program) => sum + spentBy(program), 0);
        if (round === 0) t.diagnostic(`${spent} of ${LIMIT} calls were accepted`);
        assert.ok(spent <= LIMIT, `${spent}`);
        // The two final programs leave at most one lease of the other unspent.
        assert.ok(spent >= LIMIT - (KILLS + 1) * LOST_AT_MOST, `${spent}`);
      }
    });
  });
}
