import assert from 'node:assert/strict';
import { test } from 'node:test';
import type {
  ChainFault,
  ChainLink,
  ChainPlace,
  ChainSource,
} from '../../src/crypto/hash-chain.ts';
import { findChainFault, positionAfter, toLink, verifyChain } from '../../src/crypto/hash-chain.ts';

interface Reading {
  readonly value: number;
}
type Link = Reading & ChainLink;

/** Injective, so that every change shows; how a chain hashes is its own business. */
const hashLink: ChainSource<Link>['hashLink'] = ({ value }, { sequence, previousHash }) =>
  `${value}@${sequence}<${previousHash.length === 0 ? 'start' : previousHash.split('<')[0]}`;

function chainOf(length: number): Link[] {
  const links: Link[] = [];
  for (let value = 1; value <= length; value += 1) {
    links.push(toLink({ value }, positionAfter(links.at(-1) ?? null), hashLink as never));
  }
  return links;
}

interface Stored {
  links: Link[];
  head: ChainPlace | null;
  checkpoint: ChainPlace | null;
  mayBeEmpty: boolean;
}

function sourceOf(stored: Stored): ChainSource<Link> {
  return {
    hashLink,
    mayBeEmpty: stored.mayBeEmpty,
    findCheckpoint: async () => stored.checkpoint,
    findHead: async () => stored.head,
    readLinks: async (sequence, limit) =>
      stored.links.filter((link) => link.sequence > sequence).slice(0, limit),
  };
}

function store(links: Link[], changes: Partial<Stored> = {}): Stored {
  return { links, head: links.at(-1) ?? null, checkpoint: null, mayBeEmpty: false, ...changes };
}

const fault = async (stored: Stored) => (await verifyChain(sourceOf(stored))).fault;
const without = (links: Link[], ...gone: number[]) =>
  links.filter(({ sequence }) => !gone.includes(sequence));

test('a hash chain longer than one verification step is verified to its head', async () => {
  const links = chainOf(1_203);
  assert.deepEqual(await verifyChain(sourceOf(store(links))), { links: 1_203, fault: null });
});

const faults: ReadonlyArray<readonly [title: string, stored: Stored, expected: ChainFault]> = [
  [
    'a changed link',
    store(chainOf(9).map((link) => (link.sequence === 4 ? { ...link, value: 0 } : link))),
    { sequence: 4, reason: 'changed' },
  ],
  ['a removed link', store(without(chainOf(9), 4)), { sequence: 4, reason: 'missing' }],
  [
    'a removed end',
    store(without(chainOf(9), 9), { head: chainOf(9).at(-1) ?? null }),
    { sequence: 9, reason: 'missing' },
  ],
  [
    'a head of another chain',
    store(chainOf(9), { head: { sequence: 9, hash: 'other' } }),
    { sequence: 9, reason: 'changed' },
  ],
  [
    'a link before the checkpoint',
    store(without(chainOf(9), 1, 2), { checkpoint: chainOf(9)[2] as Link }),
    { sequence: 3, reason: 'added' },
  ],
  [
    'a checkpoint that is the head with another hash',
    store([], { head: { sequence: 3, hash: 'a' }, checkpoint: { sequence: 3, hash: 'b' } }),
    { sequence: 3, reason: 'changed' },
  ],
  ['an empty chain that may not be empty', store([]), { sequence: 1, reason: 'missing' }],
  [
    'links without a head',
    store(chainOf(2), { head: null, mayBeEmpty: true }),
    { sequence: 3, reason: 'missing' },
  ],
];

for (const [title, stored, expected] of faults) {
  test(`verifying a hash chain finds ${title}`, async () => {
    assert.deepEqual(await fault(stored), expected);
  });
}

const whole: ReadonlyArray<readonly [title: string, stored: Stored]> = [
  ['an empty chain that may be empty', store([], { mayBeEmpty: true })],
  [
    'a chain whose beginning was removed with a checkpoint',
    store(without(chainOf(9), 1, 2, 3), { checkpoint: chainOf(9)[2] as Link }),
  ],
  [
    'a chain that was removed to its head',
    store([], { head: chainOf(3)[2] as Link, checkpoint: chainOf(3)[2] as Link }),
  ],
];

for (const [title, stored] of whole) {
  test(`verifying a hash chain finds no fault in ${title}`, async () => {
    assert.equal(await fault(stored), null);
  });
}

test('hash chain links removed with a checkpoint during verification are not a fault', async () => {
  const stored = store(chainOf(9));
  const source = sourceOf(stored);
  const readLinks: typeof source.readLinks = async (...range) => {
    if (!stored.checkpoint) {
      stored.checkpoint = stored.links[4] as Link;
      stored.links = stored.links.slice(5);
    }
    return source.readLinks(...range);
  };
  assert.deepEqual(await verifyChain({ ...source, readLinks }), { links: 4, fault: null });
});

test('consecutive hash chain links are verified against the preceding link', () => {
  const links = chainOf(6);
  assert.equal(findChainFault(links.slice(3), links[2] as Link, hashLink), null);
  assert.deepEqual(findChainFault(links.slice(3), links[1] as Link, hashLink), {
    sequence: 3,
    reason: 'missing',
  });
});
