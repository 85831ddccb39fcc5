import { createProbity } from '@probity/core';
import { scim } from '@probity/scim';
import type { Database } from 'better-sqlite3';
import { createPeopleStorage } from './storage.ts';

/** SCIM for the people of a company, at /scim/v2; each company has a token. */
export function createScim(db: Database, companyOf: (token: string) => string | undefined) {
  return createProbity({
    database: 'memory', // no table of Probity
    mount: '/scim',
    baseUrl: process.env.PUBLIC_URL ?? 'http://localhost:3000',
    authenticate({ token }) {
      const company = token === null ? undefined : companyOf(token);
      return company ? { organizationId: company, memberId: 'scim', role: 'admin' } : null;
    },
    capabilities: [scim({ storage: createPeopleStorage(db), prefix: '/v2' })],
  });
}
