import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { temporaryFolder } from '@probity/test-support';
import { operationsOf } from './furnished.ts';
import { call, serve } from './support.ts';

const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/**
 * The page as a browser understands it, and what its console says. Where there is no browser, the
 * HTML as it is sent.
 */
async function render(t: TestContext, url: string): Promise<{ markup: string; messages: string }> {
  const browser = BROWSERS.find((path) => existsSync(path));
  if (!browser) {
    t.diagnostic('There is no Chromium: the page is read as text.');
    return { markup: await (await fetch(url)).text(), messages: '' };
  }
  const { stdout, stderr } = await promisify(execFile)(
    browser,
    [
      ...['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
      ...['--enable-logging=stderr', `--user-data-dir=${temporaryFolder(t).path}`],
      // Any other host would be a request that the page must not make.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
      ...['--dump-dom', url],
    ],
    { maxBuffer: 1 << 24 },
  );
  const messages = stderr.split('\n').filter((line) => line.includes('CONSOLE'));
  return { markup: stdout, messages: messages.join('\n') };
}

test('the reference page shows every operation, event and schema in a browser, without scripts or requests', async (t) => {
  const { url } = await serve(t, `sqlite:${temporaryFolder(t).path}/probity.db`);
  const { markup, messages } = await render(t, `${url}/docs`);
  assert.equal(messages, '', 'the content security policy refuses a part of the page');
  const { body: document } = await call(`${url}/openapi.json`, null);
  const ids = [
    ...(await operationsOf(url)).map(({ operationId }) => operationId),
    ...Object.values(document.webhooks as Record<string, { post: { operationId: string } }>).map(
      ({ post }) => post.operationId,
    ),
    ...Object.keys(document.components.schemas).map((name) => `schema-${name}`),
  ];
  for (const id of ids) assert.ok(markup.includes(`<article id="${id}">`), id);
  const targets = [...markup.matchAll(/href="#([^"]+)"/g)].map(([, target]) => target);
  for (const target of targets) assert.ok(markup.includes(` id="${target}"`), target);
});

test('the root of the server says what it is and links to what exists', async (t) => {
  const { url } = await serve(t, `sqlite:${temporaryFolder(t).path}/probity.db`);
  const { status, body } = await call(`${url}/`, null);
  assert.deepEqual([status, body.name, body.version], [200, 'Probity', '1.0.0']);
  for (const link of [body.docs, body.openapi, body.health]) {
    const answer = await fetch(link);
    assert.equal(answer.status, 200, link);
    await answer.arrayBuffer();
  }
});
