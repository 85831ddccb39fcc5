import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '@probity/test-support';
import { createLookup, isNoAddress } from '../../src/outbound/lookup.ts';
import type { Zone } from './name-server.ts';
import { startNameServer } from './name-server.ts';

const noSignal = new AbortController().signal;
const noHostsFile = { hostsFile: '/nonexistent/hosts' };

test('a lookup answers with the addresses of both families, IPv4 first', async () => {
  await using server = await startNameServer((_name, type) => {
    return type === 'A' ? ['192.0.2.1', '192.0.2.2'] : ['2001:db8::1'];
  });
  const lookup = createLookup({ servers: [server.address], ...noHostsFile });
  const addresses = await lookup('receiver.example', noSignal);
  assert.deepEqual(addresses, ['192.0.2.1', '192.0.2.2', '2001:db8::1']);
});

test('a lookup does not wait for an address family that is not answered', async () => {
  await using server = await startNameServer((_name, type) => {
    return type === 'A' ? 'silent' : ['2001:db8::1'];
  });
  const lookup = createLookup({ servers: [server.address], ...noHostsFile });
  assert.deepEqual(await lookup('receiver.example', noSignal), ['2001:db8::1']);
});

const failures: [promise: string, answer: ReturnType<Zone>][] = [
  ['a name that does not exist', 'NXDOMAIN'],
  ['a name without addresses', []],
  ['a name that is its own alias', 'LOOP'],
  ['a name whose server fails', 'SERVFAIL'],
  ['a name whose server refuses', 'REFUSED'],
];

for (const [promise, answer] of failures) {
  test(`${promise} has no address`, async () => {
    await using server = await startNameServer(() => answer);
    const lookup = createLookup({ servers: [server.address], ...noHostsFile });
    const error = await lookup('receiver.example', noSignal).catch((caught: unknown) => caught);
    assert.ok(error instanceof Error);
    assert.equal(isNoAddress(error), true);
  });
}

test('an aborted lookup ends its queries at once', async () => {
  await using server = await startNameServer(() => 'silent');
  const lookup = createLookup({ servers: [server.address], ...noHostsFile });
  const canceler = new AbortController();
  const pending = lookup('receiver.example', canceler.signal);
  setImmediate(() => canceler.abort());
  const error = await pending.catch((caught: unknown) => caught);
  assert.equal(error instanceof Error && isNoAddress(error), false);
  await assert.rejects(lookup('receiver.example', canceler.signal));
});

test('100 names that are never answered delay no other lookup', async () => {
  await using server = await startNameServer((name, type) => {
    if (name.startsWith('silent')) return 'silent';
    return type === 'A' ? ['192.0.2.1'] : [];
  });
  const lookup = createLookup({ servers: [server.address], ...noHostsFile });
  const canceler = new AbortController();
  const silent = Array.from({ length: 100 }, (_, index) => {
    return lookup(`silent${index}.example`, canceler.signal).catch(() => 'ended');
  });
  let ended = 0;
  for (const pending of silent) void pending.then(() => (ended += 1));
  assert.deepEqual(await lookup('healthy.example', noSignal), ['192.0.2.1']);
  assert.equal(ended, 0);
  canceler.abort();
  await Promise.all(silent);
});

test('the hosts file comes before the name servers, and is read again when it changes', async (t) => {
  const hostsFile = join(temporaryFolder(t).path, 'hosts');
  await writeFile(hostsFile, '10.0.0.1 a.example A2.example # b.example\nnonsense c.example\n');
  await using server = await startNameServer(() => 'NXDOMAIN');
  const lookup = createLookup({ servers: [server.address], hostsFile });
  assert.deepEqual(await lookup('a.example.', noSignal), ['10.0.0.1']);
  assert.deepEqual(await lookup('a2.example', noSignal), ['10.0.0.1']);
  await assert.rejects(lookup('b.example', noSignal), { code: 'ENOTFOUND' });
  await assert.rejects(lookup('c.example', noSignal), { code: 'ENOTFOUND' });
  await writeFile(hostsFile, '10.0.0.1 a.example\n::1 a.example\n10.0.0.2 b.example\n');
  assert.deepEqual(await lookup('a.example', noSignal), ['10.0.0.1', '::1']);
  assert.deepEqual(await lookup('b.example', noSignal), ['10.0.0.2']);
});

test('localhost is never sent to a name server', async () => {
  await using server = await startNameServer(() => ['192.0.2.1']);
  const lookup = createLookup({ servers: [server.address], ...noHostsFile });
  for (const name of ['localhost', 'a.localhost', 'LOCALHOST.']) {
    assert.deepEqual(await lookup(name, noSignal), ['127.0.0.1', '::1']);
  }
  assert.deepEqual(server.queries, []);
});
