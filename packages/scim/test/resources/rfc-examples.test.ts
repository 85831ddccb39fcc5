import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toGroupBody, toUserBody } from '../../src/resources/body.ts';
import { toGroupInput, toUserInput } from '../../src/resources/input.ts';
import type { JsonObject } from '../../src/schemas/types.ts';
import { ENTERPRISE_USER, FULL_USER, MINIMAL_USER, TOUR_GUIDES } from '../examples.ts';
import { ENTERPRISE, refusal } from '../patch/people.ts';

const stored = {
  organizationId: 'org_1',
  version: 1,
  createdAt: new Date('2010-01-23T04:56:22Z'),
  lastModifiedAt: new Date('2011-05-13T04:42:34Z'),
};

/** Attributes that a client sends and that are neither stored nor returned from the request. */
function assignedOf({ schemas: _, id: _id, meta: _meta, groups: _groups, ...others }: JsonObject) {
  const { password: _password, ...assigned } = others;
  return assigned;
}

test('the full user of RFC 7643 is read whole, and returned with what it was sent', () => {
  const { active, userName, externalId, attributes } = toUserInput(FULL_USER);
  const assigned = assignedOf(FULL_USER);
  assert.deepEqual({ ...attributes, active, userName, externalId }, assigned);
  const user = { ...stored, id: String(FULL_USER.id), userName, externalId, attributes };
  const body = toUserBody({ ...user, active: true, accountId: null }, [], 'https://example.com/v2');
  assert.deepEqual(assignedOf(body), assigned);
  assert.deepEqual(body.schemas, FULL_USER.schemas);
  assert.deepEqual(body.meta, {
    resourceType: 'User',
    created: '2010-01-23T04:56:22.000Z',
    lastModified: '2011-05-13T04:42:34.000Z',
    location: 'https://example.com/v2/Users/2819c223-7f76-453a-919d-413861904646',
    version: 'W/"1"',
  });
});

test('the enterprise user of RFC 7643 is read without the name of the manager, which is read-only', () => {
  const { attributes } = toUserInput(ENTERPRISE_USER);
  assert.deepEqual(attributes[ENTERPRISE], {
    employeeNumber: '701984',
    costCenter: '4130',
    organization: 'Universal Studios',
    division: 'Theme Park',
    department: 'Tour Operations',
    manager: {
      value: '26118915-6090-4610-87e4-49d8ca9f808d',
      $ref: '../Users/26118915-6090-4610-87e4-49d8ca9f808d',
    },
  });
});

test('the minimal user of RFC 7643 lacks the e-mails that the specification requires', () => {
  assert.equal(
    refusal(() => toUserInput(MINIMAL_USER)).detail,
    'invalid user attributes: emails is missing',
  );
});

test('the group of RFC 7643 is read with its members', () => {
  const input = toGroupInput(TOUR_GUIDES);
  const ids = ['2819c223-7f76-453a-919d-413861904646', '902c246b-6245-4190-8e05-00816be7344a'];
  assert.deepEqual(input, {
    displayName: 'Tour Guides',
    externalId: null,
    attributes: {},
    members: ids,
  });
  const members = ids.map((id) => ({ id, type: 'User', display: 'Babs Jensen' }) as const);
  const group = { ...stored, ...input, id: String(TOUR_GUIDES.id) };
  const body = toGroupBody(group, members.slice(0, 1), 'https://example.com/v2');
  assert.deepEqual(body.members, [
    {
      value: ids[0],
      $ref: `https://example.com/v2/Users/${ids[0]}`,
      display: 'Babs Jensen',
      type: 'User',
    },
  ]);
});
