import { fileURLToPath } from 'node:url';
import { describeExampleHost } from '@probity/test-support';

describeExampleHost({
  name: 'hono',
  program: fileURLToPath(new URL('../src/app.js', import.meta.url)),
  login: async (_url, as) => ({
    Authorization: `Bearer ${as === 'staff' ? 'token-of-eve' : 'token-of-ann'}`,
  }),
});
