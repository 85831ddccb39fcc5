import { fileURLToPath } from 'node:url';
import { describeExampleHost } from '@probity/test-support';

describeExampleHost({
  name: 'koa',
  program: fileURLToPath(new URL('../src/app.js', import.meta.url)),
  login: async () => ({ Authorization: 'Bearer token-of-ann' }),
});
