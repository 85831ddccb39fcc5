import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { TestLifetime } from '@probity/test-support';
import {
  freePort,
  runCurlBlocks,
  spawnProgram,
  startHttpsReceiver,
  temporaryFolder,
  until,
} from '@probity/test-support';
import { verifyWebhook } from '@probity/webhooks/verify';

/** The repository compiles better-sqlite3, which hosts install for their own Node, for Node 20. */
const runs = process.versions.node.startsWith('20.');

const program = fileURLToPath(new URL('../src/app.js', import.meta.url));
const ANN = { Authorization: 'Bearer token-of-ann' };

interface OrderShipped {
  'order.shipped': { orderId: string; boxes: number; tracking: string };
}

/** Starts the shop, and a receiver of webhooks. */
async function startShop(t: TestLifetime) {
  const receiver = await startHttpsReceiver({ test: t });
  const folder = temporaryFolder(t).path;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    PORT: String(port),
    EGRESS: '127.0.0.1/32',
    PROBITY_ENCRYPTION_KEY: Buffer.alloc(32, 5).toString('base64'),
    NODE_EXTRA_CA_CERTS: receiver.certificateFile(),
    NODE_ENV: 'test',
  };
  const shop = await spawnProgram(process.execPath, [program], { test: t, env, cwd: folder });
  const listens = () =>
    fetch(url).then(
      () => true,
      () => shop.stderr !== '' && assert.fail(shop.stderr),
    );
  await until(listens, 'the shop listens');
  const post = async (path: string, body: object, headers: Record<string, string> = ANN) => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return { status: response.status, text: await response.text() };
  };
  return { url, folder, receiver, post };
}

if (runs) {
  test('an order that is shipped is sent once; one that is rolled back is not', async (t) => {
    const { receiver, post, folder } = await startShop(t);
    const webhook = { url: `${receiver.url}/hook`, events: ['order.shipped'] };
    const created = await post('/probity/webhooks', webhook);
    assert.equal(created.status, 201, created.text);
    const { secret } = JSON.parse(created.text).data;
    for (const id of ['ord_1', 'ord_2']) await post('/orders', { id, boxes: 2 });

    const ship = async (id: string, tracking: string) =>
      (await post(`/orders/${id}/ship`, { tracking })).status;
    assert.equal(await ship('ord_1', 'T1'), 204);
    assert.equal(await ship('ord_1', 'T2'), 404, 'it is shipped already');
    // The label exists: the insert after the publication fails.
    assert.equal(await ship('ord_2', 'T1'), 500);
    const { openDatabase } = await import('../src/database.js');
    const db = openDatabase(join(folder, 'shop.db'));
    t.after(() => db.destroy());
    const shipped = async () => {
      const rows = db.selectFrom('orders').select('id').where('shipped', '=', 1).orderBy('id');
      return (await rows.execute()).map(({ id }) => id);
    };
    assert.deepEqual(await shipped(), ['ord_1']);
    assert.equal(await ship('ord_2', 'T2'), 204);
    assert.deepEqual(await shipped(), ['ord_1', 'ord_2']);

    await receiver.waitFor((_, all) => all.length === 2);
    const received = await Promise.all(
      receiver.requests.map(({ rawBody, headers }) =>
        verifyWebhook<OrderShipped>(rawBody, headers, secret),
      ),
    );
    const tracked = received.map(({ data }) => [data.orderId, data.tracking]).sort();
    assert.deepEqual(tracked, [
      ['ord_1', 'T1'],
      ['ord_2', 'T2'],
    ]);
    const list = db.withTables<{ probity_events: { type: string } }>().selectFrom('probity_events');
    assert.equal((await list.select('type').execute()).length, 2);
  });

  test('orders and webhooks need a login', async (t) => {
    const { post } = await startShop(t);
    assert.equal((await post('/orders', { id: 'ord_1', boxes: 1 }, {})).status, 401);
    const webhook = { url: 'https://receiver.example/hook', events: ['order.shipped'] };
    assert.equal((await post('/probity/webhooks', webhook, {})).status, 401);
  });

  test('the commands of the README work', async (t) => {
    const { url, folder, receiver } = await startShop(t);
    const variables = { TOKEN: 'token-of-ann', RECEIVER: receiver.url };
    await runCurlBlocks(import.meta.url, { url, folder, variables });
    const { rawBody } = await receiver.waitFor(() => true);
    assert.equal(JSON.parse(rawBody.toString()).type, 'order.shipped');
  });
}
