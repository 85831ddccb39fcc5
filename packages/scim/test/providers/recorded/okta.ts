import { GROUP_SCHEMA, USER_SCHEMA } from '../../api.ts';
import type { Step } from './step.ts';
import { find, patch } from './step.ts';

// developer.okta.com/docs/api/openapi/okta-scim/guides/scim-20.

const oktaUser = {
  schemas: [USER_SCHEMA],
  userName: 'test.user@okta.example',
  name: { givenName: 'Test', familyName: 'User' },
  emails: [{ primary: true, value: 'test.user@okta.example', type: 'work' }],
  displayName: 'Test User',
  locale: 'en-US',
  externalId: '00ujl29u0le5T6Aj10h7',
  groups: [],
  password: '1mz050nq',
  active: true,
};

/** What Okta does with applications of both kinds, but for the form of its changes of users and groups. */
function okta(forms: {
  readonly update: Step['send'];
  readonly deactivate: Step['send'];
  readonly reactivate: Step['send'];
  readonly changeMembers: Step['send'];
  readonly renameGroup: Step['send'];
}): readonly Step[] {
  const { userName, externalId, displayName, name } = oktaUser;
  const created = { userName, externalId, displayName, name, active: true };
  const updated = { ...created, name: { ...name, familyName: 'Changed' } };
  const second = { ...oktaUser, userName: 'second@okta.example', externalId: '00u2' };
  const group = { displayName: 'Test SCIMv2', members: ['{user}'] };
  return [
    { send: ['GET', '/ServiceProviderConfig'], status: 200 },
    { send: ['GET', '/Users?startIndex=1&count=2'], status: 200, finds: 0 },
    { send: ['GET', '/Groups?startIndex=1&count=100'], status: 200, finds: 0 },
    {
      send: find('Users', `userName eq "${userName}"`, '&startIndex=1&count=100'),
      status: 200,
      finds: 0,
    },
    { send: ['POST', '/Users', oktaUser], status: 201, as: 'user', believes: { user: created } },
    {
      send: find('Users', `userName eq "${userName}"`, '&startIndex=1&count=100'),
      status: 200,
      finds: 1,
    },
    { send: forms.update, status: 200, believes: { user: updated } },
    { send: forms.deactivate, status: 200, believes: { user: { ...updated, active: false } } },
    { send: forms.reactivate, status: 200, believes: { user: updated } },
    {
      send: ['POST', '/Users', second],
      status: 201,
      as: 'second',
      believes: { second: { userName: 'second@okta.example', active: true } },
    },
    {
      send: [
        'POST',
        '/Groups',
        {
          schemas: [GROUP_SCHEMA],
          displayName: 'Test SCIMv2',
          members: [{ value: '{user}', display: userName }],
        },
      ],
      status: 201,
      as: 'group',
      believes: { group },
    },
    {
      send: find('Groups', 'displayName eq "Test SCIMv2"', '&startIndex=1&count=100'),
      status: 200,
      finds: 1,
    },
    {
      send: forms.changeMembers,
      status: forms.changeMembers[0] === 'PUT' ? 200 : 204,
      believes: { group: { displayName: 'Test SCIMv2', members: ['{second}'] } },
    },
    {
      send: forms.renameGroup,
      status: forms.renameGroup[0] === 'PUT' ? 200 : 204,
      believes: { group: { displayName: 'Renamed', members: ['{second}'] } },
    },
    // "Push now" replaces the members.
    {
      send: [
        'PATCH',
        '/Groups/{group}',
        patch({
          op: 'replace',
          path: 'members',
          value: [{ value: '{user}' }, { value: '{second}' }],
        }),
      ],
      status: 204,
      believes: { group: { displayName: 'Renamed', members: ['{user}', '{second}'] } },
    },
    { send: forms.deactivate, status: 200, believes: { user: { ...updated, active: false } } },
    { send: ['DELETE', '/Groups/{group}'], status: 204, believes: { group: null } },
  ];
}

const whole = (active: boolean) => ({
  ...oktaUser,
  id: '{user}',
  name: { ...oktaUser.name, familyName: 'Changed' },
  meta: { resourceType: 'User' },
  active,
});

export const oktaWizard: readonly Step[] = okta({
  update: ['PUT', '/Users/{user}', whole(true)],
  deactivate: ['PUT', '/Users/{user}', whole(false)],
  reactivate: ['PUT', '/Users/{user}', whole(true)],
  changeMembers: [
    'PUT',
    '/Groups/{group}',
    {
      schemas: [GROUP_SCHEMA],
      id: '{group}',
      displayName: 'Test SCIMv2',
      members: [{ value: '{second}', display: 'second@okta.example' }],
    },
  ],
  renameGroup: [
    'PUT',
    '/Groups/{group}',
    {
      schemas: [GROUP_SCHEMA],
      id: '{group}',
      displayName: 'Renamed',
      members: [{ value: '{second}' }],
    },
  ],
});

export const oktaCatalogue: readonly Step[] = okta({
  update: [
    'PATCH',
    '/Users/{user}',
    patch({ op: 'replace', value: { name: { familyName: 'Changed' } } }),
  ],
  deactivate: ['PATCH', '/Users/{user}', patch({ op: 'replace', value: { active: false } })],
  reactivate: ['PATCH', '/Users/{user}', patch({ op: 'replace', value: { active: true } })],
  changeMembers: [
    'PATCH',
    '/Groups/{group}',
    patch(
      { op: 'remove', path: 'members[value eq "{user}"]' },
      {
        op: 'add',
        path: 'members',
        value: [{ value: '{second}', display: 'second@okta.example' }],
      },
    ),
  ],
  renameGroup: [
    'PATCH',
    '/Groups/{group}',
    patch({ op: 'replace', value: { id: '{group}', displayName: 'Renamed' } }),
  ],
});
