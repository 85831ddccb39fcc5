import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer, answerError, clientOf, startServer } from './world.ts';

/** A list that changes while it is read, served in pages of two. */
async function startList(
  t: Parameters<typeof startServer>[0],
  onRequest?: (ids: string[]) => void,
) {
  const ids = ['a', 'b', 'c', 'd', 'e'];
  const server = await startServer(t, (response, { path }) => {
    const { searchParams } = new URL(path, 'http://server');
    const offset = Number(searchParams.get('offset') ?? 0);
    const limit = Number(searchParams.get('limit') ?? 2);
    const data = ids.slice(offset, offset + limit).map((id) => ({ id }));
    const hasMore = offset + limit < ids.length;
    answer(response, 200, { data, total: ids.length, limit, offset, has_more: hasMore });
    onRequest?.(ids);
  });
  return { ...server, ids };
}

async function idsOf(items: AsyncIterable<{ readonly id: string }>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of items) ids.push(id);
  return ids;
}

test('for await requests one page after the other, with the filters', async (t) => {
  const server = await startList(t);
  const { probity } = clientOf(server);
  const listing = probity.alerts.list({ status: 'open', limit: 2 });
  assert.equal(server.requests.length, 0);
  assert.deepEqual(await idsOf(listing), ['a', 'b', 'c', 'd', 'e']);
  assert.deepEqual(
    server.requests.map(({ path }) => path),
    [
      '/api/v1/alerts?status=open&limit=2',
      '/api/v1/alerts?status=open&limit=2&offset=2',
      '/api/v1/alerts?status=open&limit=2&offset=4',
    ],
  );
  assert.deepEqual(await idsOf(listing), ['a', 'b', 'c', 'd', 'e'], 'a listing is read twice');
});

test('a loop that is left requests no further page', async (t) => {
  const server = await startList(t);
  const { probity } = clientOf(server);
  for await (const { id } of probity.alerts.list({ limit: 2 })) if (id === 'b') break;
  assert.equal(server.requests.length, 1);
});

test('one page, the pages and all items can be requested', async (t) => {
  const server = await startList(t);
  const { probity } = clientOf(server);
  const { items, ...rest } = await probity.webhooks.list({ limit: 2, offset: 2 }).page();
  assert.deepEqual(
    items.map(({ id }) => id),
    ['c', 'd'],
  );
  assert.deepEqual(rest, { total: 5, limit: 2, offset: 2, hasMore: true });
  const sizes: number[] = [];
  for await (const page of probity.webhooks.list({ limit: 2 }).pages())
    sizes.push(page.items.length);
  assert.deepEqual(sizes, [2, 2, 1]);
  assert.equal((await probity.webhooks.list({ offset: 1 }).all()).length, 4);
});

test('await requests the first page, once, and no page before it is awaited', async (t) => {
  const server = await startList(t);
  const { probity } = clientOf(server);
  const listing = probity.alerts.list({ limit: 2 });
  assert.equal(server.requests.length, 0);
  const page = await listing;
  assert.deepEqual(page, {
    items: [{ id: 'a' }, { id: 'b' }],
    ...{ total: 5, limit: 2, offset: 0, hasMore: true },
  });
  assert.equal(await listing, page);
  const [other, same] = await Promise.all([probity.webhooks.list({ offset: 4 }), listing]);
  assert.deepEqual([other.items.length, same], [1, page]);
  assert.equal(server.requests.length, 2);
});

test('an awaited page leads to the pages after it', async (t) => {
  const server = await startList(t);
  const { probity } = clientOf(server);
  const page = await probity.alerts.list({ limit: 2, offset: 1 });
  assert.deepEqual(await idsOf(page), ['b', 'c', 'd', 'e']);
  assert.equal(server.requests.length, 2);
  const next = await page.next();
  assert.deepEqual(next?.items, [{ id: 'd' }, { id: 'e' }]);
  assert.equal(await next?.next(), null);
  assert.equal(server.requests.length, 3);
});

test('the failure of a list that is awaited can be caught as of a promise', async (t) => {
  const server = await startServer(t, (response) => answerError(response, 403));
  const { probity } = clientOf(server);
  await assert.rejects(probity.alerts.list(), { status: 403 });
  assert.equal(await probity.alerts.list().catch(({ status }) => status), 403);
  let ended = 0;
  const listing = probity.alerts.list().finally(() => {
    ended += 1;
  });
  await assert.rejects(listing, { status: 403 });
  assert.equal(ended, 1);
  assert.equal(String(probity.alerts.list()), '[object Listing]');
});

test('lists of the platform API have the same form', async (t) => {
  const server = await startServer(t, (response) =>
    answer(response, 200, {
      members: [{ id: 'm' }],
      total: 1,
      limit: 50,
      offset: 0,
      has_more: false,
    }),
  );
  const { probity } = clientOf(server);
  assert.deepEqual(await idsOf(probity.organizations.listMembers('org_1')), ['m']);
  assert.equal(server.requests[0]?.path, '/v1/organizations/org_1/members');
});

test('an item that moves to the next page is returned once', async (t) => {
  const server = await startList(t, (ids) => ids.unshift(`new-${ids.length}`));
  const { probity } = clientOf(server);
  const ids: string[] = [];
  for await (const { id } of probity.alerts.list({ limit: 2 })) {
    ids.push(id);
    if (ids.length === 4) break;
  }
  assert.equal(new Set(ids).size, ids.length, ids.join());
});

test('a list that is never said to end, but has no item left, ends', async (t) => {
  const server = await startServer(t, (response) =>
    answer(response, 200, { data: [], total: 9, limit: 50, offset: 0, has_more: true }),
  );
  const { probity } = clientOf(server);
  assert.deepEqual(await probity.alerts.list().all(), []);
  assert.equal(server.requests.length, 1);
});

test('a page that fails is repeated; one that fails for good ends the iteration', async (t) => {
  const server = await startServer(t, (response, _request, index) => {
    if (index === 0) return answerError(response, 500);
    if (index > 1) return answerError(response, 403, 'INSUFFICIENT_PERMISSIONS');
    answer(response, 200, { data: [{ id: 'a' }], total: 2, limit: 1, offset: 0, has_more: true });
  });
  const { probity } = clientOf(server);
  const ids: string[] = [];
  const read = async () => {
    for await (const { id } of probity.alerts.list()) ids.push(id);
  };
  await assert.rejects(read(), { code: 'INSUFFICIENT_PERMISSIONS' });
  assert.deepEqual(ids, ['a']);
  assert.equal(server.requests.length, 3);
});

test('an answer that is no page is refused', async (t) => {
  const server = await startServer(t, (response) => answer(response, 200, { data: { id: 'a' } }));
  const { probity } = clientOf(server);
  await assert.rejects(probity.alerts.list().page(), { code: 'invalid_response' });
});

test('a page at another offset than the one that was asked for is an error, and no endless list', async (t) => {
  const server = await startServer(t, (response) =>
    answer(response, 200, { data: [{ id: 'a' }], total: 9, limit: 1, offset: 0, has_more: true }),
  );
  const listing = clientOf(server).probity.alerts.list({ limit: 1 });
  await assert.rejects(listing.all(), {
    name: 'ResponseError',
    code: 'invalid_response',
    message: /at offset 1 was asked for, and that at 0 answered/,
  });
  assert.equal(server.requests.length, 2);
});
