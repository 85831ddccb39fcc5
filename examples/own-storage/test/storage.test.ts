import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contextOf } from '@probity/core';
import { describeGovernanceStorage } from '@probity/governance/testing';
import { createApp } from '../src/app.ts';
import { createOwnStorage } from '../src/storage.ts';

let tenants = 0;

describeGovernanceStorage({
  name: 'own storage',
  async open() {
    return {
      storage: createOwnStorage(() => undefined),
      createTenant: async () => {
        tenants += 1;
        return `tenant-${tenants}`;
      },
      openAnother: () => null,
      dispose: async () => undefined,
    };
  },
});

test('a leak is blocked, and its alert is read from the own storage', async () => {
  const probity = createApp();
  await probity.ready();
  const context = contextOf({ organizationId: 'acme' });
  const { governance } = probity.services;
  const { scan } = await governance.scan(context, { response: 'Her SSN is 536-22-8145.' });
  assert.equal(scan.verdict, 'blocked');
  const { items } = await governance.alerts.list(context, {}, { limit: 10, offset: 0 });
  assert.deepEqual(
    items.map(({ type, scanId }) => [type, scanId]),
    [['pii', scan.id]],
  );
  await probity.stop();
});
