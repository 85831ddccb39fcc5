import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ErrorKind } from '../src/errors.ts';
import {
  ERROR_CATALOG,
  kindOfStatus,
  notFound,
  ProbityError,
  toProbityError,
  validationError,
} from '../src/errors.ts';

test('an error takes status and message from the catalog unless overridden', () => {
  for (const kind of Object.keys(ERROR_CATALOG) as ErrorKind[]) {
    const error = new ProbityError(kind);
    assert.equal(error.status, ERROR_CATALOG[kind].status);
    assert.equal(error.message, ERROR_CATALOG[kind].message);
  }
  const cause = new Error('inside');
  const own = new ProbityError('conflict', 'Own words.', { status: 408, cause });
  assert.deepEqual([own.status, own.message, own.cause], [408, 'Own words.', cause]);
});

test('a validation error names every bad field in details and message', () => {
  const details = [
    { field: 'name', message: 'is required' },
    { field: 'events.0', message: 'is unknown' },
  ];
  const error = validationError(...details);
  assert.deepEqual(error.details, details);
  assert.equal(error.message, 'name: is required; events.0: is unknown');
  assert.equal(notFound('webhook').message, 'There is no such webhook.');
});

const outages: ReadonlyArray<readonly [string, unknown]> = [
  ['a server that refuses connections', Object.assign(new Error('x'), { code: 'ECONNREFUSED' })],
  ['a server that shuts down', Object.assign(new Error('x'), { code: '57P01' })],
  ['too many connections', Object.assign(new Error('x'), { code: '53300' })],
  ['a full disk', Object.assign(new Error('x'), { code: 'SQLITE_FULL' })],
  ['a read-only PostgreSQL', Object.assign(new Error('x'), { code: '25006' })],
  ['a broken disk of PostgreSQL', Object.assign(new Error('x'), { code: '58030' })],
  ['a read-only file', Object.assign(new Error('x'), { code: 'SQLITE_READONLY_DBMOVED' })],
  ['a connection that broke', new Error('Connection terminated unexpectedly')],
  ['a server that hangs', new Error('Query read timeout')],
  [
    'a cause further in',
    new Error('x', { cause: Object.assign(new Error('y'), { code: '08006' }) }),
  ],
];

for (const [name, thrown] of outages) {
  test(`toProbityError maps ${name} to unavailable with Retry-After`, () => {
    const error = toProbityError(thrown);
    assert.deepEqual([error.kind, error.status], ['unavailable', 503]);
    assert.deepEqual(error.headers, { 'Retry-After': '5' });
    assert.equal(error.message, ERROR_CATALOG.unavailable.message);
    assert.equal(error.cause, thrown);
  });
}

test('a violated constraint does not count as an outage', () => {
  const violation = Object.assign(new Error('x'), { code: 'SQLITE_CONSTRAINT_PRIMARYKEY' });
  assert.equal(toProbityError(violation).kind, 'internal');
  assert.equal(toProbityError(Object.assign(new Error('x'), { code: '23505' })).kind, 'internal');
});

const foreign: ReadonlyArray<readonly [string, unknown, ErrorKind, number]> = [
  ['a ProbityError stays what it is', new ProbityError('forbidden'), 'forbidden', 403],
  [
    'one of another copy of the package is recognized by its shape',
    { kind: 'conflict', message: 'Taken.', status: 409, headers: {}, details: undefined },
    'conflict',
    409,
  ],
  [
    'an exposed http-errors 4xx keeps its status',
    Object.assign(new Error('Too long'), { status: 414, expose: true }),
    'invalid_request',
    414,
  ],
  [
    'an exposed 404 becomes not_found',
    Object.assign(new Error('Gone'), { status: 404, expose: true }),
    'not_found',
    404,
  ],
  [
    'an error not meant for the client',
    Object.assign(new Error('x'), { status: 400 }),
    'internal',
    500,
  ],
  ['an exposed 5xx', Object.assign(new Error('x'), { status: 502, expose: true }), 'internal', 500],
  ['an unknown kind', { kind: 'toString', message: 'x' }, 'internal', 500],
  ['a string', 'secret', 'internal', 500],
  ['null', null, 'internal', 500],
  ['undefined', undefined, 'internal', 500],
];

for (const [name, thrown, kind, status] of foreign) {
  test(`toProbityError normalizes ${name}`, () => {
    const error = toProbityError(thrown);
    assert.ok(error instanceof ProbityError);
    assert.equal(error.kind, kind);
    assert.equal(error.status, status);
  });
}

test('an internal error does not expose its cause, which is kept for the log', () => {
  const cause = new Error('password=hunter2');
  const error = toProbityError(cause);
  assert.equal(error.message, ERROR_CATALOG.internal.message);
  assert.equal(error.cause, cause);
});

test('every HTTP error status maps to an error kind', () => {
  assert.equal(kindOfStatus(413), 'payload_too_large');
  assert.equal(kindOfStatus(418), 'invalid_request');
  assert.equal(kindOfStatus(599), 'internal');
});
