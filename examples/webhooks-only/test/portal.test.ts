import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { TestLifetime } from '@probity/test-support';
import {
  freePort,
  spawnProgram,
  startHttpsReceiver,
  temporaryFolder,
  until,
} from '@probity/test-support';

/** The repository compiles better-sqlite3, which hosts install for their own Node, for Node 20. */
const runs = process.versions.node.startsWith('20.');

const program = fileURLToPath(new URL('../src/portal.js', import.meta.url));
const page = fileURLToPath(new URL('../../public/webhooks.js', import.meta.url));

interface Page {
  listWebhooks(): Promise<Array<{ id: string }>>;
  createWebhook(url: string, events: string[]): Promise<{ id: string; secret: string }>;
  deleteWebhook(id: string): Promise<void>;
  sendTest(id: string): Promise<object>;
  listDeliveries(id: string): Promise<Array<{ status: string }>>;
}

async function startPortal(t: TestLifetime) {
  const receiver = await startHttpsReceiver({ test: t });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    PORT: String(port),
    EGRESS: '127.0.0.1/32',
    NODE_EXTRA_CA_CERTS: receiver.certificateFile(),
  };
  const cwd = temporaryFolder(t).path;
  const portal = await spawnProgram(process.execPath, [program], { test: t, env, cwd });
  const listens = () =>
    fetch(url).then(
      () => true,
      () => portal.stderr !== '' && assert.fail(portal.stderr),
    );
  await until(listens, 'the portal listens');
  return { url, receiver };
}

/** The script of the page as a browser runs it: paths are those of its origin, with its cookie. */
async function openPage(t: TestLifetime, url: string, cookie: string): Promise<Page> {
  const fetchAnything = globalThis.fetch;
  globalThis.fetch = (path, init = {}) => {
    if (!String(path).startsWith('/')) return fetchAnything(path, init);
    const headers = { Cookie: cookie, Origin: url, 'Sec-Fetch-Site': 'same-origin' };
    return fetchAnything(url + path, { ...init, headers: { ...headers, ...init.headers } });
  };
  t.after(() => {
    globalThis.fetch = fetchAnything;
  });
  return import(`${pathToFileURL(page)}?${encodeURIComponent(cookie)}`);
}

if (runs) {
  test('a customer who signed in manages webhooks from a page', async (t) => {
    const { url, receiver } = await startPortal(t);
    const { createWebhook, listWebhooks, sendTest, listDeliveries, deleteWebhook } = await openPage(
      t,
      url,
      'session=session-of-ann',
    );
    const { id, secret } = await createWebhook(`${receiver.url}/hook`, ['alert.created']);
    assert.match(secret, /^whsec_/);
    assert.deepEqual(
      (await listWebhooks()).map((each) => each.id),
      [id],
    );
    await sendTest(id);
    await receiver.waitFor(() => true);
    await until(
      async () => (await listDeliveries(id))[0]?.status === 'delivered',
      'the delivery has ended',
    );
    await deleteWebhook(id);
    assert.deepEqual(await listWebhooks(), []);
  });

  test('nobody else gets a token, or in without one', async (t) => {
    const { url } = await startPortal(t);
    const { listWebhooks } = await openPage(t, url, 'session=of-nobody');
    await assert.rejects(listWebhooks(), /Sign in/);
    const Cookie = 'session=session-of-ann';
    assert.equal((await fetch(`${url}/probity/webhooks`, { headers: { Cookie } })).status, 401);
    assert.equal((await fetch(`${url}/webhooks.js`)).status, 200);
  });
}
