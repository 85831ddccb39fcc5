import assert from 'node:assert/strict';
import { at } from '@probity/core/testing';
import { withWorld } from '../testing/contract-world.ts';
import type { PlatformPromises } from '../testing/targets.ts';

/** Contract checks of mail counts, by test title. */
export const mailPromises: PlatformPromises = {
  'mails are counted by subject and window, also concurrently': withWorld(async ({ write }) => {
    const count = (subject: string, second: number) =>
      write((tx) => tx.countMail(subject, at(second)));
    const counts = await Promise.all(Array.from({ length: 12 }, () => count('ann', 0)));
    assert.deepEqual(
      counts.toSorted((left, right) => left - right),
      Array.from({ length: 12 }, (_, index) => index + 1),
    );
    assert.equal(await count('bob', 0), 1);
    assert.equal(await count('ann', 1), 1);
    assert.equal(await count('ann', 0), 13);
  }),

  'a mail whose transaction fails is not counted': withWorld(async ({ write }) => {
    const failing = write(async (tx) => {
      await tx.countMail('ann', at(0));
      throw new Error('refused');
    });
    await assert.rejects(failing, /refused/);
    assert.equal(await write((tx) => tx.countMail('ann', at(0))), 1);
  }),

  'counts of old mails are deleted in batches': withWorld(async ({ write }) => {
    for (const second of [1, 2, 3, 10]) await write((tx) => tx.countMail('ann', at(second)));
    const remove = () => write((tx) => tx.deleteOldMailCounts(at(10), 2));
    assert.deepEqual([await remove(), await remove(), await remove()], [2, 1, 0]);
    assert.equal(await write((tx) => tx.countMail('ann', at(10))), 2);
  }),
};
