import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sampleErrors } from '../../src/settings/index.ts';

describe('errors of back ends', () => {
  it('errors of back ends are passed on once per message in ten seconds, with the number kept back', () => {
    let ms = 0;
    const told: [string, number][] = [];
    const onError = sampleErrors(
      (error, keptBack) => told.push([(error as Error).message, keptBack]),
      () => ms,
    );
    for (let turn = 0; turn < 5; turn++) onError(new Error('down'));
    onError(new Error('slow'));
    ms = 9_999;
    onError(new Error('down'));
    ms = 10_000;
    onError(new Error('down'));
    onError(new Error('slow'));
    ms = 30_000;
    onError(new Error('slow'));
    assert.deepEqual(told, [
      ['down', 0],
      ['slow', 0],
      ['down', 5],
      ['slow', 0],
      ['slow', 0],
    ]);
  });
});
