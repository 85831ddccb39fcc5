import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Places } from '../../src/http/places.ts';

interface Item {
  readonly name: string;
  readonly isEndable: boolean;
}

/** Places that report what they end. */
function createPlaces(total: number, perAddress = total) {
  const ended: string[] = [];
  const places = new Places<Item>({
    total,
    perAddress,
    isEndable: ({ isEndable }) => isEndable,
    end: ({ name }) => ended.push(name),
  });
  const take = (name: string, address: string | null | undefined, isEndable = true) => {
    const item = { name, isEndable };
    return places.take(item, address);
  };
  return { places, take, ended };
}

test('an item of a full network ends none, one of a smaller network ends the oldest of the largest', () => {
  const { places, take, ended } = createPlaces(4);
  for (const host of [1, 2, 3]) take(`a${host}`, `192.0.2.${host}`);
  take('b', '198.51.100.1');
  assert.equal(take('a4', '192.0.2.4').isWithin, false);
  assert.deepEqual([ended, places.size], [[], 5]);
});

test('networks of one provider are one beside another network, and equal among themselves', () => {
  const { places, take, ended } = createPlaces(4);
  take('first', '2001:db8:0:1::1');
  take('second', '2001:db8:0:2::1');
  take('third', '2001:db8:0:2::2');
  take('fourth', '2001:db8:0:2::3');
  assert.equal(take('other', '203.0.113.1').isWithin, true);
  assert.deepEqual(ended, ['second']);
  // Among its own networks, it ends one only of a network with at least two more.
  const inner = take('inner', '2001:db8:0:3::1');
  assert.deepEqual([inner.isWithin, ended], [true, ['second', 'third']]);
  places.leave(inner);
  assert.equal(places.size, 3);
  assert.equal(take('last', '2001:db8:0:1::1').isWithin, true);
  assert.equal(take('refused', '2001:db8:0:1::1').isWithin, false);
});

test('only an item that waits for its client is ended, and none of a client without networks', () => {
  const { take, ended } = createPlaces(4);
  take('proxy', undefined);
  take('busy', '192.0.2.1', false);
  take('waiting', '192.0.2.1');
  take('busy too', '192.0.2.1', false);
  assert.equal(take('other', '198.51.100.1').isWithin, true);
  assert.deepEqual(ended, ['waiting']);
  assert.equal(take('another', '203.0.113.1').isWithin, false);
});

test('an address has its own limit, a /64 network counts as one', () => {
  const { places, take } = createPlaces(10, 1);
  const first = take('a', '2001:db8::1');
  const refused = take('b', '2001:db8::2');
  assert.equal(refused.isWithin, false);
  assert.equal(take('c', '2001:db8:0:1::1').isWithin, true);
  assert.equal(take('unknown', null).isWithin, true);
  assert.equal(take('unknown too', 'x').isWithin, false);
  places.leave(first);
  places.leave(refused);
  places.leave(refused);
  assert.equal(take('d', '2001:db8::3').isWithin, true);
});
