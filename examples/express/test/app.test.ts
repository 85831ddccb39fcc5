import { fileURLToPath } from 'node:url';
import { describeExampleHost, runCurlBlocks } from '@probity/test-support';

describeExampleHost({
  name: 'express',
  program: fileURLToPath(new URL('../src/app.js', import.meta.url)),
  async login(url) {
    const response = await fetch(`${url}/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ user: 'ann', password: 'correct horse' }),
    });
    return { Cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' };
  },
  check: ({ url, user, folder }) => {
    const variables = { SESSION_COOKIE: user.Cookie };
    return runCurlBlocks(import.meta.url, { url, folder, variables });
  },
});
