import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameUnreachableServer } from '../../src/sql/unreachable.ts';

const url = 'postgres://user:hunter2@db.example:5433/probity';

function refused(address: string): Error {
  const message = `connect ECONNREFUSED ${address}:5433`;
  return Object.assign(new Error(message), { code: 'ECONNREFUSED', syscall: 'connect' });
}

const failures: ReadonlyArray<readonly [string, Error, string]> = [
  ['one address that refuses', refused('192.0.2.1'), 'connect ECONNREFUSED 192.0.2.1:5433'],
  [
    'a name of which every address refuses, where Node says nothing',
    new AggregateError([refused('::1'), refused('127.0.0.1')], ''),
    'connect ECONNREFUSED ::1:5433; connect ECONNREFUSED 127.0.0.1:5433',
  ],
  [
    'a name that does not resolve',
    Object.assign(new Error('getaddrinfo ENOTFOUND db.example'), { syscall: 'getaddrinfo' }),
    'getaddrinfo ENOTFOUND db.example',
  ],
  [
    'a server that does not answer',
    new Error('Connection terminated due to connection timeout'),
    'Connection terminated due to connection timeout',
  ],
];

for (const [name, error, reason] of failures) {
  test(`the error for ${name} names the server and not the password`, () => {
    const named = nameUnreachableServer(error, url);
    assert.ok(named instanceof Error);
    assert.equal(named.message, `The database server db.example:5433 cannot be reached: ${reason}`);
    assert.equal(named.cause, error);
  });
}

test('a connection URL without a host is reported as such', () => {
  const named = nameUnreachableServer(refused('x'), 'not a url') as Error;
  assert.match(named.message, /^The database server of the database URL cannot be reached/);
});

test('database errors other than connection errors are passed on unchanged', () => {
  const reset = Object.assign(new Error('read ECONNRESET'), { syscall: 'read' });
  for (const error of [
    reset,
    new Error('duplicate key'),
    'text',
    new AggregateError([new Error('a')]),
  ]) {
    assert.equal(nameUnreachableServer(error, url), error);
  }
});
