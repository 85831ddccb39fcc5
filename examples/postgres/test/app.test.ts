import { fileURLToPath } from 'node:url';
import { describeExampleHost } from '@probity/test-support';

describeExampleHost({
  name: 'postgres',
  program: fileURLToPath(new URL('../src/app.js', import.meta.url)),
  usesPostgres: true,
  login: async () => ({ Authorization: 'Bearer token-of-ann' }),
});
