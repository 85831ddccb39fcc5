import { GROUP_SCHEMA, USER_SCHEMA } from '../../api.ts';
import type { Step } from './step.ts';
import { find, patch } from './step.ts';

const person = (name: string, active = true) => ({
  schemas: [USER_SCHEMA],
  userName: `${name}@example.com`,
  name: { givenName: name, familyName: 'Smith' },
  emails: [{ value: `${name}@example.com`, type: 'work', primary: true }],
  active,
});

function believed({ schemas: _, ...attributes }: ReturnType<typeof person>) {
  return attributes;
}

const GROUP = { displayName: 'Test group' };
const members = (op: string, ...names: string[]) =>
  patch({ op, path: 'members', value: names.map((name) => ({ value: `{${name}}` })) });

/**
 * jumpcloud.com/support/provision-and-manage-users-and-groups-in-apps-using-custom-scim-identity-management-integration:
 * a test user and a test group are made and deleted first. Members: app.uni-moni.com/en/kb/sso-setup-jumpcloud.
 */
export const jumpcloud: readonly Step[] = [
  {
    send: ['POST', '/Users', person('test.user')],
    status: 201,
    as: 'trial',
    believes: { trial: believed(person('test.user')) },
  },
  {
    send: [
      'POST',
      '/Groups',
      { schemas: [GROUP_SCHEMA], ...GROUP, members: [{ value: '{trial}' }] },
    ],
    status: 201,
    as: 'trialGroup',
    believes: { trialGroup: { ...GROUP, members: ['{trial}'] } },
  },
  { send: ['DELETE', '/Groups/{trialGroup}'], status: 204, believes: { trialGroup: null } },
  { send: ['DELETE', '/Users/{trial}'], status: 204, believes: { trial: null } },
  { send: ['GET', '/Users'], status: 200, finds: 0 },
  {
    send: ['POST', '/Users', person('ann')],
    status: 201,
    as: 'ann',
    believes: { ann: believed(person('ann')) },
  },
  {
    send: ['POST', '/Users', person('bob')],
    status: 201,
    as: 'bob',
    believes: { bob: believed(person('bob')) },
  },
  { send: find('Groups', 'displayName eq "Test group"'), status: 200, finds: 0 },
  {
    send: ['POST', '/Groups', { schemas: [GROUP_SCHEMA], ...GROUP }],
    status: 201,
    as: 'group',
    believes: { group: { ...GROUP, members: [] } },
  },
  {
    send: ['PATCH', '/Groups/{group}', members('add', 'ann', 'bob')],
    status: 204,
    believes: { group: { ...GROUP, members: ['{ann}', '{bob}'] } },
  },
  {
    send: ['PATCH', '/Groups/{group}', members('remove', 'ann')],
    status: 204,
    believes: { group: { ...GROUP, members: ['{bob}'] } },
  },
  {
    send: [
      'PATCH',
      '/Users/{ann}',
      patch(
        { op: 'replace', path: 'name.familyName', value: 'Lee' },
        { op: 'replace', path: 'active', value: false },
      ),
    ],
    status: 200,
    believes: {
      ann: {
        ...believed(person('ann', false)),
        name: { givenName: 'ann', familyName: 'Lee' },
      },
    },
  },
  {
    send: ['PUT', '/Users/{bob}', person('bob', false)],
    status: 200,
    believes: { bob: believed(person('bob', false)) },
  },
];
