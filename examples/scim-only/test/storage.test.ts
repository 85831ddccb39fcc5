import { randomUUID } from 'node:crypto';
import { describeScimStorage } from '@probity/scim/testing';
import { createPeople } from '../src/people.ts';
import { createPeopleStorage } from '../src/storage.ts';

describeScimStorage(
  {
    name: 'people',
    async open() {
      const { db } = createPeople(':memory:');
      return {
        storage: createPeopleStorage(db),
        createTenant: async () => randomUUID(),
        openAnother: () => null,
        dispose: async () => void db.close(),
      };
    },
  },
  { groups: false },
);
