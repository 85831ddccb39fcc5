import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { describeExampleHost } from '@probity/test-support';

describeExampleHost({
  name: 'nest',
  program: fileURLToPath(new URL('../src/app.js', import.meta.url)),
  login: async (_url, as) => ({
    Authorization: `Bearer ${as === 'staff' ? 'token-of-eve' : 'token-of-ann'}`,
  }),
  async check({ url, user }) {
    assert.equal((await fetch(`${url}/me`)).status, 403);
    const response = await fetch(`${url}/me`, { headers: user });
    assert.deepEqual(await response.json(), { id: 'ann', company: 'acme', isStaff: false });
  },
});
