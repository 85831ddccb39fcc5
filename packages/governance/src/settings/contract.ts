import assert from 'node:assert/strict';
import { OUTSIDE_REQUEST } from '@probity/core';
import type { OpenedStorage, PromiseCheck } from '@probity/core/testing';
import type { UpkeepStorage, UpkeepTransaction } from './storage.ts';
import type { StoredSettings } from './types.ts';
import { DEFAULT_RETENTION } from './types.ts';

type Opened = OpenedStorage<UpkeepStorage>;

/** Contract checks of a storage for settings and summaries, by test title. */
export const upkeepPromises: Readonly<Record<string, PromiseCheck<UpkeepStorage>>> = {
  'settings are read back as they were stored last, and those of others are not touched': replaces,
  'summaries begin once, and of concurrent transactions one gets each day': advances,
};

const day = (number: number) => new Date(Date.UTC(2026, 0, number));

function change<T>(
  storage: UpkeepStorage,
  work: (tx: UpkeepTransaction) => Promise<T>,
): Promise<T> {
  return storage.transaction(OUTSIDE_REQUEST, work);
}

async function replaces({ storage, createTenant }: Opened): Promise<void> {
  const [organizationId, other] = [await createTenant(), await createTenant()];
  assert.equal(await storage.findSettings(organizationId), null);
  const settings: StoredSettings = {
    organizationId,
    retention: {
      ...{ preset: 'eu-ai-act', scansWithPersonalDataDays: 184, scansDays: 365 },
      resolvedAlertsDays: 200,
    },
    updatedAt: new Date('2026-01-02T03:04:05.678Z'),
  };
  const others = { organizationId: other, retention: DEFAULT_RETENTION, updatedAt: day(1) };
  await change(storage, (tx) => tx.putSettings(others));
  await change(storage, (tx) => tx.putSettings(settings));
  assert.deepEqual(await storage.findSettings(organizationId), settings);
  const later = { ...settings, retention: { ...settings.retention, scansDays: null } };
  await change(storage, (tx) => tx.putSettings(later));
  assert.deepEqual(await storage.findSettings(organizationId), later);
  assert.deepEqual(await storage.findSettings(other), others);
}

async function advances({ storage, createTenant }: Opened): Promise<void> {
  const [organizationId, other] = [await createTenant(), await createTenant()];
  assert.equal(await storage.findSummarizedUntil(organizationId), null);
  const advance = (from: Date, until: Date) =>
    change(storage, (tx) => tx.advanceSummaries(organizationId, from, until));
  assert.equal(await advance(day(1), day(2)), false);
  for (const from of [day(1), day(5)]) {
    await change(storage, (tx) => tx.beginSummaries(organizationId, from));
  }
  assert.deepEqual(await storage.findSummarizedUntil(organizationId), day(1));
  const tries = Array.from({ length: 6 }, () => advance(day(1), day(2)));
  assert.equal((await Promise.all(tries)).filter(Boolean).length, 1);
  assert.equal(await advance(day(3), day(4)), false);
  assert.deepEqual(await storage.findSummarizedUntil(organizationId), day(2));
  assert.equal(await storage.findSummarizedUntil(other), null);
}
