import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { QUIRKS } from '../../src/patch/quirks.ts';
import { start, userBody } from '../api.ts';
import { OPERATION_REPLAYS } from './operation-replays.ts';
import type { Replay } from './replay.ts';
import { VALUE_REPLAYS } from './value-replays.ts';

/** Creates a user at a path, and reads two; the methods and statuses. */
async function statusesOf(t: TestContext, path: string, search: string) {
  const { call } = await start(t);
  const answers = [await call('POST', path, userBody('ann'))];
  for (const read of [path, search]) answers.push(await call('GET', read));
  const [created, ...lists] = answers;
  for (const { body } of lists) assert.equal(body.Resources[0].id, created?.body.id);
  return answers.map(({ status }, index) => [index === 0 ? 'POST' : 'GET', status]);
}

const replays: Readonly<Record<keyof typeof QUIRKS, readonly Replay[]>> = {
  ...VALUE_REPLAYS,
  ...OPERATION_REPLAYS,
  unknownParameters: [
    {
      from: 'Entra ID',
      does: 'appends its flag to the address of every request',
      run: (t) => statusesOf(t, '/Users?aadOptscim062020', '/Users?aadOptscim062020&count=1'),
      expected: [
        ['POST', 201],
        ['GET', 200],
        ['GET', 200],
      ],
    },
  ],
  pathForm: [
    {
      from: "Microsoft's Postman collections",
      does: 'searches at /Users/',
      run: (t) => statusesOf(t, '/Users/', '/Users/?filter=active%20eq%20true'),
      expected: [
        ['POST', 201],
        ['GET', 200],
        ['GET', 200],
      ],
    },
    {
      from: "Microsoft's Postman collections",
      does: 'lists at /users',
      run: (t) => statusesOf(t, '/users', '/USERS?count=1'),
      expected: [
        ['POST', 201],
        ['GET', 200],
        ['GET', 200],
      ],
    },
  ],
};

for (const [name, ofQuirk] of Object.entries(replays)) {
  for (const { from, does, run, expected } of ofQuirk) {
    test(`${name}: ${from} ${does}`, async (t) => {
      assert.deepEqual(await run(t), expected);
    });
  }
}

test('every quirk says who sends it and where that is seen', () => {
  for (const [name, { clients, source, sends }] of Object.entries(QUIRKS)) {
    assert.ok(clients.length > 0 && source !== '' && /^(\{|GET )/.test(sends), name);
  }
});
