import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CallContext, Logger } from '@probity/core';
import { afterWriting } from '../../src/scanner/after-writing.ts';

const UNTRACED = { requestId: 'req_1' } as CallContext;

function createLog() {
  const errors: unknown[] = [];
  const logger = {
    error: (_: string, fields: unknown) => errors.push(fields),
  } as unknown as Logger;
  return { errors, logger };
}

test('a report runs behind what promises still write, in the same turn of the event loop', async () => {
  const order: string[] = [];
  const { logger } = createLog();
  const note = (what: string) => () => order.push(what);
  // Begun by what comes in, as calls are.
  await nextTurn();
  const answer = async () => {
    afterWriting(UNTRACED, logger, note('reported'));
    for (let step = 0; step < 20; step++) await undefined;
    setImmediate(note('written'));
    setImmediate(() => setImmediate(note('next turn')));
  };
  await answer();
  await nextTurn();
  await nextTurn();
  assert.deepEqual(order, ['written', 'reported', 'next turn']);
});

test('a report that fails is logged, and ends nothing', async () => {
  const { logger, errors } = createLog();
  const error = new Error('no room');
  afterWriting(UNTRACED, logger, () => {
    throw error;
  });
  await nextTurn();
  await nextTurn();
  assert.deepEqual(errors, [{ request_id: 'req_1', error }]);
});

test('a traced call is reported at once: its spans end before that of the request', () => {
  let reports = 0;
  const context = { ...UNTRACED, trace: {} } as unknown as CallContext;
  afterWriting(context, createLog().logger, () => {
    reports++;
  });
  assert.equal(reports, 1);
});
