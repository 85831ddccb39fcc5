import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createPlaceLists } from '../../src/hallucination/place-lists.ts';

describe('createPlaceLists', () => {
  it('createPlaceLists keeps the places of every key in order, however often it is used again', () => {
    const lists = createPlaceLists();
    const keys = fc.array(fc.oneof(fc.integer(), fc.integer({ min: -2, max: 2 })), {
      maxLength: 3_000,
    });
    fc.assert(
      fc.property(keys, fc.nat(3_000), fc.integer(), (given, expected, other) => {
        lists.reset(expected);
        const places = new Map<number, number[]>();
        given.forEach((key, place) => {
          lists.add(key, place);
          places.set(key, [...(places.get(key) ?? []), place]);
        });
        for (const key of [...given, other]) {
          const wanted = places.get(key) ?? [];
          const number = lists.find(key);
          assert.equal(number < 0 ? 0 : lists.lengths[number], wanted.length);
          const found: number[] = [];
          let link = number < 0 ? -1 : (lists.heads[number] as number);
          for (; link >= 0; link = lists.next[link] as number) {
            found.push(lists.places[link] as number);
          }
          assert.deepEqual(found, wanted);
        }
      }),
      { numRuns: 40, examples: [[[], 0, 0]] },
    );
  });
});
