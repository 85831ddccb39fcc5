import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { temporaryFolder } from '@probity/test-support';
import { bootstrap, call, serve } from './support.ts';

const PASSWORD = 'correct horse 9 battery';

/** Runs the script of a page as a browser would, and submits the form with these fields. */
async function submit(page: string, fields: Readonly<Record<string, string>>): Promise<string> {
  const html = await (await fetch(page)).text();
  const [, target = ''] = /data-target="([^"]+)"/.exec(html) ?? [];
  const [, done = ''] = /data-done="([^"]+)"/.exec(html) ?? [];
  const [, script = ''] = /<script src="([^"]+)"/.exec(html) ?? [];
  let submitted: (event: object) => Promise<void> = () => Promise.reject(new Error('no listener'));
  const form = {
    dataset: { target, done },
    addEventListener: (_: string, listener: typeof submitted) => {
      submitted = listener;
    },
  };
  const output = { textContent: '' };
  const source = await (await fetch(new URL(script, page))).text();
  runInNewContext(source, {
    document: { querySelector: (name: string) => (name === 'form' ? form : output) },
    location: new URL(page),
    history: { replaceState: () => undefined },
    FormData: class extends Map<string, string> {
      constructor() {
        super(Object.entries(fields));
      }
    },
    URLSearchParams,
    fetch: (path: string, init: RequestInit) => fetch(new URL(path, page), init),
  });
  await submitted({ preventDefault: () => undefined });
  return output.textContent;
}

test('the links of bootstrap and of an invitation lead to forms that work and keep the token', async (t) => {
  const database = `sqlite:${temporaryFolder(t).path}/probity.db`;
  const made = await bootstrap(database);
  const { url } = await serve(t, database);
  const link = `${url}/password/reset?token=${made.setup_token}`;
  const response = await fetch(link);
  const html = await response.text();
  assert.deepEqual(
    [response.status, response.headers.get('content-type')],
    [200, 'text/html; charset=utf-8'],
  );
  assert.equal(response.headers.get('cache-control'), 'no-store');
  assert.equal(response.headers.get('referrer-policy'), 'no-referrer');
  assert.match(
    response.headers.get('content-security-policy') ?? '',
    /^default-src 'none'; script-src 'self'; connect-src 'self'/,
  );
  assert.ok(!html.includes(made.setup_token), 'the page contains the token');
  // Everything that the page names is its own.
  assert.ok(!/https?:|\/\/|\son\w+=/.test(html), html);
  const right = { password: PASSWORD, repeated: PASSWORD };
  assert.equal(await submit(link, { ...right, repeated: 'other' }), 'The two passwords differ.');
  assert.match(await submit(link, { password: 'short', repeated: 'short' }), /^password: /);
  assert.match(await submit(link, right), /^The password is set\./);
  assert.match(await submit(link, right), /not found|does not exist|No /i);
  const login = { email: 'ann@acme.example', password: PASSWORD };
  assert.equal((await call(`${url}/v1/auth/login`, null, 'POST', login)).status, 200);
  const invitation = await submit(`${url}/invitations/accept?token=pin_none`, {
    ...right,
    name: '',
  });
  assert.match(invitation, /invitation/i);
  assert.equal((await call(`${url}/password/reset`, null, 'POST', {})).status, 405);
});
