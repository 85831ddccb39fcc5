import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { freePort, spawnProgram, temporaryFolder, until } from '@probity/test-support';

const APP = fileURLToPath(new URL('../src/app.js', import.meta.url));
const LEAK = { response: 'Sure! Her SSN is 536-22-8145 and the card is 4539 1488 0343 6467.' };

test('an Express application blocks a leak for a user who signed in by cookie', async (t) => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = { PORT: String(port) };
  const program = await spawnProgram(process.execPath, [APP], {
    test: t,
    env,
    cwd: temporaryFolder(t).path,
  });
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  await until(
    () =>
      fetch(url).then(
        () => true,
        () => false,
      ),
    `the application listens; its output: ${program.stderr}`,
  );

  assert.equal((await post('/probity/governance/scan', LEAK)).status, 401);
  const signedIn = await post('/login', { user: 'ann', password: 'correct horse' });
  assert.equal(signedIn.status, 204);
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
  const blocked = await post('/probity/governance/scan', LEAK, { cookie });
  const { error, governance } = (await blocked.json()) as {
    error: { code: string };
    governance: { violation_reason: string };
  };
  assert.deepEqual([blocked.status, error.code], [403, 'PII_DETECTED']);
  assert.equal(governance.violation_reason, 'pii_scanner found ssn, credit_card');

  const foreign = { cookie, Origin: 'https://evil.example' };
  assert.equal((await post('/probity/governance/scan', LEAK, foreign)).status, 403);
  const alerts = await fetch(`${url}/probity/alerts`, { headers: { cookie } });
  assert.equal(((await alerts.json()) as { data: unknown[] }).data.length, 1);
});
