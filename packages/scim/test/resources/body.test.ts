import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toGroupBody, toUserBody } from '../../src/resources/body.ts';
import { toGroupInput, toUserInput } from '../../src/resources/input.ts';
import type { ScimGroup, ScimUser } from '../../src/resources/types.ts';
import { ENTERPRISE } from '../patch/people.ts';

const BASE = 'https://example.com/scim/v2';

const stored = {
  organizationId: 'org_1',
  version: 3,
  createdAt: new Date('2026-11-23T10:00:00.000Z'),
  lastModifiedAt: new Date('2026-11-23T11:00:00.000Z'),
  externalId: null,
};
const user: ScimUser = {
  ...stored,
  id: 'u1',
  userName: 'Ann@example.com',
  active: false,
  accountId: 'mem_1',
  attributes: {
    emails: [{ value: 'ann@example.com', primary: true }],
    [ENTERPRISE]: { department: 'R&D' },
  },
};
const group: ScimGroup = {
  ...stored,
  id: 'g1',
  displayName: 'Guides',
  externalId: 'x',
  attributes: {},
};

test('the body of a user has its schemas, attributes, groups and meta, and no internal name', () => {
  const groups = [{ id: 'g1', display: 'Guides', type: 'direct' }] as const;
  assert.deepEqual(toUserBody(user, groups, BASE), {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', ENTERPRISE],
    id: 'u1',
    userName: 'Ann@example.com',
    emails: [{ value: 'ann@example.com', primary: true }],
    [ENTERPRISE]: { department: 'R&D' },
    active: false,
    groups: [{ value: 'g1', $ref: `${BASE}/Groups/g1`, display: 'Guides', type: 'direct' }],
    meta: {
      resourceType: 'User',
      created: '2026-11-23T10:00:00.000Z',
      lastModified: '2026-11-23T11:00:00.000Z',
      location: `${BASE}/Users/u1`,
      version: 'W/"3"',
    },
  });
});

test('a user in no group has no groups, a group without members has []', () => {
  assert.equal('groups' in toUserBody(user, [], BASE), false);
  assert.deepEqual(toGroupBody(group, [], BASE).members, []);
  assert.equal('members' in toGroupBody(group, null, BASE), false);
});

test('the body of a group names its members with their types', () => {
  const members = [
    { id: 'u1', type: 'User', display: 'Ann' },
    { id: 'g2', type: 'Group', display: null },
  ] as const;
  assert.deepEqual(toGroupBody(group, members, BASE), {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
    id: 'g1',
    externalId: 'x',
    displayName: 'Guides',
    members: [
      { value: 'u1', $ref: `${BASE}/Users/u1`, display: 'Ann', type: 'User' },
      { value: 'g2', $ref: `${BASE}/Groups/g2`, type: 'Group' },
    ],
    meta: {
      resourceType: 'Group',
      created: '2026-11-23T10:00:00.000Z',
      lastModified: '2026-11-23T11:00:00.000Z',
      location: `${BASE}/Groups/g1`,
      version: 'W/"3"',
    },
  });
});

test('a PUT of what was read changes nothing', () => {
  const { userName, externalId, active, attributes } = user;
  assert.deepEqual(
    toUserInput(toUserBody(user, [{ id: 'g', display: 'G', type: 'direct' }], BASE)),
    { userName, externalId, active, attributes },
  );
  const members = [{ id: 'u1', type: 'User', display: 'Ann' }] as const;
  assert.deepEqual(toGroupInput(toGroupBody(group, members, BASE)), {
    displayName: 'Guides',
    externalId: 'x',
    attributes: {},
    members: ['u1'],
  });
});
