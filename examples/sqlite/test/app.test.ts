import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describeExampleHost } from '@probity/test-support';

const compiled = (name: string) => fileURLToPath(new URL(`../src/${name}.js`, import.meta.url));

/** The repository compiles better-sqlite3, which hosts install for their own Node, for Node 20. */
const runs = process.versions.node.startsWith('20.');

if (runs) {
  describeExampleHost({
    name: 'sqlite',
    program: compiled('app'),
    login: async (_url, as) => ({
      Authorization: `Bearer ${as === 'staff' ? 'token-of-eve' : 'token-of-ann'}`,
    }),
    async check({ url, user, folder }) {
      const add = async (text: string) => {
        const headers = { ...user, 'Content-Type': 'application/json' };
        const body = JSON.stringify({ text });
        const response = await fetch(`${url}/answers`, { method: 'POST', headers, body });
        return (await response.json()) as object;
      };
      const text = 'Your order has been packed.';
      assert.deepEqual(await add(text), { verdict: 'allowed', isStored: true });
      assert.deepEqual(await add('Her SSN is 536-22-8145.'), {
        verdict: 'blocked',
        isStored: false,
      });

      await promisify(execFile)(process.execPath, [compiled('backup'), 'copy.db'], { cwd: folder });
      const { openDatabase } = await import('../src/database.ts');
      const copy = openDatabase(join(folder, 'copy.db'));
      const sql = 'select text, verdict from answers join probity_scans s on scan_id = s.id';
      assert.deepEqual(copy.prepare(sql).all(), [{ text, verdict: 'allowed' }]);
      copy.close();
    },
  });
}
