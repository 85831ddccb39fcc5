import assert from 'node:assert/strict';
import { it } from 'node:test';
import { lazily } from '../src/lazy.ts';

it('a part is loaded once by uses at the same time, and again after an error', async () => {
  let loads = 0;
  const withPart = lazily(async () => {
    loads++;
    if (loads === 1) throw new Error('the disk is away');
    return 'part';
  });
  const used: string[] = [];
  const use = (part: string) => {
    used.push(part);
    return undefined;
  };
  await assert.rejects(async () => withPart(use), /the disk is away/);
  await Promise.all([withPart(use), withPart(use)]);
  assert.equal(withPart(use), undefined, 'at once');
  assert.deepEqual([loads, used], [2, ['part', 'part', 'part']]);
});
