import assert from 'node:assert/strict';
import { test } from 'node:test';
import type * as Driver from '../../src/sql/postgres-driver.ts';
import { importAmong } from './driver-folder.ts';

test('without pg the PostgreSQL adapter names the command that installs it', async (t) => {
  const { loadPostgresDriver } = await importAmong<typeof Driver>('postgres-driver', {}, t);
  assert.throws(loadPostgresDriver, { message: /npm install pg@8$/ });
});

test('the PostgreSQL adapter loads pg when it needs a driver', async (t) => {
  const installed = { pg: { version: '8.0.0' } };
  const { loadPostgresDriver } = await importAmong<typeof Driver>('postgres-driver', installed, t);
  assert.equal(loadPostgresDriver(), 'pg');
});

test('the error of a pg that fails to load reaches the caller unchanged', async (t) => {
  const installed = { pg: { version: '8.0.0', code: "throw new Error('broken install');" } };
  const { loadPostgresDriver } = await importAmong<typeof Driver>('postgres-driver', installed, t);
  assert.throws(loadPostgresDriver, { message: 'broken install' });
});
