import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { OUTSIDE_REQUEST } from '@probity/core';
import { sampleTargets } from '@probity/test-support/combinations';
import { newUser } from '../../src/fixtures.ts';
import { GROUP_SCHEMA, start, userBody } from '../api.ts';
import { targets } from '../targets.ts';

const NAMES = ['dora', 'ann', 'cid', 'bob', 'eve'];

async function startWithUsers(t: Parameters<typeof start>[0], target = targets[0]) {
  const api = await start(t, { target });
  for (const name of NAMES) await api.call('POST', '/Users', userBody(name));
  return api;
}

function namesOf(body: { Resources: Array<{ userName: string }> }): string[] {
  return body.Resources.map(({ userName }) => userName.replace('@example.com', ''));
}

for (const target of sampleTargets(targets)) {
  describe(`${target.name}: lists over HTTP`, () => {
    test('a list by number is in order of creation and says what it left out', async (t) => {
      const { call } = await startWithUsers(t, target);
      const { body } = await call('GET', '/Users?startIndex=2&count=2');
      assert.deepEqual(namesOf(body), ['ann', 'cid']);
      assert.deepEqual([body.totalResults, body.startIndex, body.itemsPerPage], [5, 2, 2]);
      const none = await call('GET', '/Users?count=0');
      assert.deepEqual([none.body.totalResults, none.body.Resources], [5, []]);
      const beyond = await call('GET', '/Users?startIndex=99');
      assert.deepEqual([beyond.body.startIndex, beyond.body.Resources], [99, []]);
      const negative = await call('GET', '/Users?startIndex=-3&count=-1');
      assert.deepEqual([negative.body.startIndex, negative.body.itemsPerPage], [1, 0]);
    });

    test('a page has 100 resources unless the request says otherwise, and at most 1,000', async (t) => {
      const { call, organizationId, storage } = await start(t, { target });
      await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
        for (let index = 0; index < 1_050; index += 1) {
          await tx.insertUser(newUser(organizationId, { userName: `u${index}@example.com` }));
        }
      });
      for (const [query, items] of [
        ['', 100],
        ['?count=1001', 1_000],
        ['?count=100000', 1_000],
        ['?startIndex=1001&count=1000', 50],
        ['?cursor', 100],
        ['?cursor&count=5000', 1_000],
      ] as const) {
        const { body } = await call('GET', `/Users${query}`);
        assert.deepEqual([body.totalResults, body.itemsPerPage], [1_050, items], query);
        assert.equal(body.Resources.length, items, query);
      }
      const searched = (await call('POST', '/.search', { count: 5_000 })).body;
      assert.equal(searched.Resources.length, 1_000);
    });

    test('a list by cursor has every user once, also while others are created', async (t) => {
      const { call } = await startWithUsers(t, target);
      const seen: string[] = [];
      let cursor: string | undefined = '';
      for (let page = 0; cursor !== undefined; page += 1) {
        const { body } = await call('GET', `/Users?count=2&cursor=${cursor}`);
        assert.equal('startIndex' in body, false);
        seen.push(...namesOf(body));
        cursor = body.nextCursor;
        if (page === 0) await call('POST', '/Users', userBody('late'));
      }
      assert.deepEqual(seen, [...NAMES, 'late']);
    });

    test('a sorted list by cursor keeps its order over pages', async (t) => {
      const { call } = await startWithUsers(t, target);
      const sorted = '/Users?sortBy=userName&sortOrder=descending&count=3';
      const first = (await call('GET', `${sorted}&cursor`)).body;
      const second = (await call('GET', `${sorted}&cursor=${first.nextCursor}`)).body;
      assert.deepEqual(
        [namesOf(first), namesOf(second)],
        [
          ['eve', 'dora', 'cid'],
          ['bob', 'ann'],
        ],
      );
      assert.equal(second.nextCursor, undefined);
    });

    test('a forged cursor names a place or is refused', async (t) => {
      const { call } = await startWithUsers(t, target);
      const { nextCursor } = (await call('GET', '/Users?count=1&cursor=')).body;
      const [key, at] = JSON.parse(Buffer.from(nextCursor, 'base64url').toString());
      const read = async (...place: unknown[]) => {
        const cursor = Buffer.from(JSON.stringify([key, ...place])).toString('base64url');
        return call('GET', `/Users?count=1&cursor=${cursor}`);
      };
      assert.equal((await read(at, "'; --")).status, 200);
      for (const place of [[at, '\0'], [at, '\ud800'], [at], [at, {}], [-1, 'x'], [1e16, 'x']]) {
        const { status, body } = await read(...place);
        assert.deepEqual([status, body.scimType], [400, 'invalidCursor'], JSON.stringify(place));
      }
    });

    test('a search at the root sorts over all types, in pages', async (t) => {
      const { call } = await startWithUsers(t, target);
      const names = ['Zoe', 'alpha', 'Mia', 'beta'];
      for (const [index, displayName] of names.entries()) {
        const body = { displayName, externalId: `${9 - index}` };
        if (index % 2 === 0) await call('POST', '/Groups', { schemas: [GROUP_SCHEMA], ...body });
        else await call('POST', '/Users', userBody(displayName, body));
      }
      const shown = async (search: object) => {
        const { status, body } = await call('POST', '/.search', search);
        assert.equal(status, 200, JSON.stringify(body));
        return body.Resources.map(
          (each: Record<string, string>) => each.displayName ?? each.userName,
        );
      };
      const filter = 'displayName pr';
      const order = ['alpha', 'beta', 'Mia', 'Zoe'];
      assert.deepEqual(await shown({ filter, sortBy: 'displayName' }), order);
      const descending = { filter, sortBy: 'DisplayName', sortOrder: 'descending' };
      assert.deepEqual(await shown(descending), [...order].reverse());
      const byNumber = { filter, sortBy: 'externalId', attributes: ['displayName'] };
      assert.deepEqual(await shown(byNumber), [...names].reverse());
      const paged = [];
      for (const startIndex of [1, 2, 3, 4, 5]) {
        paged.push(...(await shown({ filter, sortBy: 'displayName', startIndex, count: 1 })));
      }
      assert.deepEqual(paged, order);
      // Users without a displayName, and groups, which have no userName, are last, or first.
      const all = await shown({ sortBy: 'displayName' });
      assert.deepEqual(all.slice(0, 4), order);
      const withNames = { sortBy: 'userName', sortOrder: 'descending', attributes: ['userName'] };
      const found = await shown(withNames);
      assert.deepEqual(found.slice(0, 3), [undefined, undefined, 'eve@example.com']);
      const far = await call('POST', '/.search', { sortBy: 'displayName', startIndex: 9_999 });
      assert.deepEqual([far.status, far.body.scimType], [400, 'tooMany']);
      const counted = await call('POST', '/.search', { filter, sortBy: 'displayName', count: 0 });
      assert.deepEqual([counted.body.totalResults, counted.body.Resources], [4, []]);
    });

    test('a search in a body is that of the query; the one at the root has all types', async (t) => {
      const { call } = await startWithUsers(t, target);
      for (const displayName of ['Alpha', 'Beta']) {
        await call('POST', '/Groups', { schemas: [GROUP_SCHEMA], displayName });
      }
      const search = { filter: 'userName sw "B"', attributes: ['userName'] };
      const users = (await call('POST', '/Users/.search', search)).body;
      assert.deepEqual(namesOf(users), ['bob']);
      assert.deepEqual(Object.keys(users.Resources[0]).sort(), ['id', 'schemas', 'userName']);
      const page = { startIndex: 5, count: 2, attributes: ['userName', 'displayName'] };
      const all = (await call('POST', '/.search', page)).body;
      assert.equal(all.totalResults, 7);
      const shown = all.Resources.map(
        (each: Record<string, string>) => each.userName ?? each.displayName,
      );
      assert.deepEqual(shown, ['eve@example.com', 'Alpha']);
      const groups = (await call('POST', '/.search', { filter: 'displayName eq "beta"' })).body;
      assert.equal(groups.totalResults, 1);
      const filter = 'displayName eq "alpha" or userName eq "ann@example.com"';
      const both = (await call('POST', '/.search', { filter, sortBy: 'userName' })).body;
      assert.equal(both.totalResults, 2);
      const unknown = await call('POST', '/.search', { filter: 'nothing pr' });
      assert.equal(unknown.body.scimType, 'invalidFilter');
    });
  });
}

const REFUSED = [
  ['filter=userName eq', 'invalidFilter'],
  ['filter=nothing eq "x"', 'invalidFilter'],
  ['sortBy=nothing', 'invalidPath'],
  ['sortBy=userName&sortOrder=up', 'invalidValue'],
  ['startIndex=one', 'invalidValue'],
  ['count=1.5', 'invalidValue'],
  ['cursor=xyz', 'invalidCursor'],
  ['cursor=&startIndex=1', 'invalidValue'],
] as const;

for (const [query, scimType] of REFUSED) {
  test(`a list with ${query} is refused as ${scimType}`, async (t) => {
    const { call } = await start(t);
    const { status, body } = await call('GET', `/Users?${encodeURI(query)}`);
    assert.deepEqual([status, body.scimType], [400, scimType]);
  });
}

test('a cursor of another list is refused', async (t) => {
  const { call } = await startWithUsers(t);
  const { nextCursor } = (await call('GET', '/Users?count=1&cursor=')).body;
  const other = await call('GET', `/Users?count=1&cursor=${nextCursor}&filter=active%20pr`);
  assert.equal(other.body.scimType, 'invalidCursor');
  const groups = await call('GET', `/Groups?cursor=${nextCursor}`);
  assert.equal(groups.body.scimType, 'invalidCursor');
});

test('a search request names its bad member', async (t) => {
  const { call } = await start(t);
  const { status, body } = await call('POST', '/Users/.search', { filter: 7 });
  assert.deepEqual([status, body.scimType], [400, 'invalidValue']);
  assert.match(body.detail, /^filter/);
});
