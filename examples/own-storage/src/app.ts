import { createProbity } from '@probity/core';
import { governance } from '@probity/governance';
import { createOwnStorage } from './storage.ts';

/** Probity over a storage of the host; its events go to standard output. */
export function createApp() {
  const storage = createOwnStorage(({ type, data }) => console.log(type, data));
  return createProbity({
    database: 'memory',
    authenticate: ({ token }) =>
      token === 'ann' ? { organizationId: 'acme', memberId: 'ann', role: 'member' } : null,
    capabilities: [governance({ storage })],
  });
}
