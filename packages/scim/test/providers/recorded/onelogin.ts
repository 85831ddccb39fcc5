import { GROUP_SCHEMA, USER_SCHEMA } from '../../api.ts';
import type { Step } from './step.ts';
import { ENTERPRISE, find, patch } from './step.ts';

/**
 * The user of the JSON template of "SCIM Provisioner with SAML (SCIM v2 Enterprise)": its manager has names that no
 * schema declares, its id is null (doc.keepnetlabs.com, "Onelogin SCIM Integration").
 */
const templated = {
  schemas: [USER_SCHEMA],
  id: null,
  userName: 'jsmith@example.com',
  externalId: '32198732',
  active: true,
  emails: [{ value: 'jsmith@example.com', type: 'work', primary: true }],
  meta: { resourceType: 'User' },
  name: { familyName: 'Smith', givenName: 'John', formatted: 'John Smith' },
  [ENTERPRISE]: {
    department: 'Engineering',
    manager: { managerId: '17', displayName: 'Ann Lee' },
  },
};

const { userName, externalId, name } = templated;
const created = {
  userName,
  externalId,
  name,
  active: true,
  [ENTERPRISE]: { department: 'Engineering' },
};
const updated = {
  ...created,
  name: { ...name, familyName: 'Gray' },
  title: 'Lead',
  [ENTERPRISE]: null,
};
const put = (active: boolean) => ({
  schemas: [USER_SCHEMA],
  userName,
  externalId,
  active,
  emails: templated.emails,
  name: { ...name, familyName: 'Gray' },
  title: 'Lead',
});
const engineering = { displayName: 'Engineering' };

/**
 * developers.onelogin.com/scim/implement-scim-api: the calls of "Example API Flow" in their order. Members come as one
 * object or a list (django-scim2, adapters.py).
 */
export const onelogin: readonly Step[] = [
  { send: find('Users', 'userName eq "not_a_user"'), status: 200, finds: 0 },
  { send: find('Users', `userName eq "${userName}"`), status: 200, finds: 0 },
  { send: ['POST', '/Users', templated], status: 201, as: 'user', believes: { user: created } },
  { send: find('Users', `userName eq "${userName}"`), status: 200, finds: 1 },
  { send: ['PUT', '/Users/{user}', put(true)], status: 200, believes: { user: updated } },
  { send: ['GET', '/Groups'], status: 200, finds: 0 },
  {
    send: ['POST', '/Groups', { schemas: [GROUP_SCHEMA], ...engineering }],
    status: 201,
    as: 'group',
    believes: { group: { ...engineering, members: [] } },
  },
  {
    send: [
      'PATCH',
      '/Groups/{group}',
      patch({ op: 'add', path: 'members', value: [{ value: '{user}' }] }),
    ],
    status: 204,
    believes: { group: { ...engineering, members: ['{user}'] } },
  },
  {
    send: ['PATCH', '/Groups/{group}', patch({ op: 'remove', path: 'members[value eq "{user}"]' })],
    status: 204,
    believes: { group: { ...engineering, members: [] } },
  },
  {
    send: [
      'PATCH',
      '/Groups/{group}',
      patch({ op: 'add', path: 'members', value: { value: '{user}' } }),
    ],
    status: 204,
    believes: { group: { ...engineering, members: ['{user}'] } },
  },
  {
    send: [
      'PATCH',
      '/Groups/{group}',
      patch({ op: 'replace', path: 'members', value: [{ value: '{user}' }] }),
    ],
    status: 204,
  },
  {
    send: ['PUT', '/Users/{user}', put(false)],
    status: 200,
    believes: { user: { ...updated, active: false } },
  },
  {
    send: ['PATCH', '/Users/{user}', patch({ op: 'replace', path: 'active', value: true })],
    status: 200,
    believes: { user: updated },
  },
  {
    send: [
      'PATCH',
      '/Users/{user}',
      patch({
        op: 'replace',
        value: { emails: { value: 'gray@example.com', type: 'work', primary: true } },
      }),
    ],
    status: 200,
    believes: {
      user: {
        ...updated,
        emails: [{ value: 'gray@example.com', type: 'work', primary: true }],
      },
    },
  },
  {
    send: ['DELETE', '/Users/{user}'],
    status: 204,
    believes: { user: null, group: { ...engineering, members: [] } },
  },
];
