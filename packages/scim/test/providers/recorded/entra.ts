import { GROUP_SCHEMA, USER_SCHEMA } from '../../api.ts';
import type { Step } from './step.ts';
import { ENTERPRISE, find, patch } from './step.ts';

// learn.microsoft.com/entra/identity/app-provisioning/use-scim-to-provision-users-and-groups and
// application-provisioning-config-problem-scim-compatibility.

const entraUser = {
  schemas: [USER_SCHEMA, ENTERPRISE],
  externalId: '58342554-38d6-4ec8-948c-50044d0a33fd',
  userName: 'bjensen_contoso.example#EXT#@fabrikam.example',
  active: true,
  displayName: 'Babs Jensen',
  emails: [{ primary: true, type: 'work', value: 'bjensen@contoso.example' }],
  meta: { resourceType: 'User' },
  name: { formatted: 'Babs Jensen', familyName: 'Jensen', givenName: 'Babs' },
  roles: [],
};

const entraGroup = {
  schemas: [
    GROUP_SCHEMA,
    'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group',
  ],
  externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
  displayName: 'Engineers',
  meta: { resourceType: 'Group' },
};

/** What Entra ID does with and without the flag, but for the form of its PATCH requests. */
function entra(forms: {
  readonly rename: object;
  readonly disable: object;
  readonly enable: object;
  readonly addMember: object;
  readonly removeMember: object;
  readonly renameGroup: object;
}): readonly Step[] {
  const { userName, externalId, displayName, name } = entraUser;
  const created = { userName, externalId, displayName, name, active: true };
  const renamed = {
    ...created,
    displayName: 'Babs Lee',
    name: { ...name, familyName: 'Lee' },
    emails: [{ primary: true, type: 'work', value: 'blee@contoso.example' }],
    [ENTERPRISE]: { department: 'R&D', manager: { value: '26118915-6090-4610-87e4-49d8ca9f808d' } },
  };
  return [
    {
      send: find('Users', 'userName eq "0b1b1ee7-0e4d-4f6e-8f3e-1d5f3a7f0d0a"'),
      status: 200,
      finds: 0,
    },
    { send: find('Users', `externalId eq "${externalId}"`), status: 200, finds: 0 },
    { send: ['POST', '/Users', entraUser], status: 201, as: 'babs', believes: { babs: created } },
    { send: find('Users', `userName eq "${userName.toUpperCase()}"`), status: 200, finds: 1 },
    { send: ['PATCH', '/Users/{babs}', forms.rename], status: 200, believes: { babs: renamed } },
    // The same again, as after a failed cycle.
    { send: ['PATCH', '/Users/{babs}', forms.rename], status: 200 },
    {
      send: ['POST', '/Groups', entraGroup],
      status: 201,
      as: 'group',
      believes: { group: { displayName: 'Engineers', members: [] } },
    },
    {
      send: find('Groups', 'displayName eq "Engineers"', '&excludedAttributes=members'),
      status: 200,
      finds: 1,
    },
    {
      send: ['PATCH', '/Groups/{group}', forms.addMember],
      status: 204,
      believes: { group: { displayName: 'Engineers', members: ['{babs}'] } },
    },
    { send: ['PATCH', '/Groups/{group}', forms.addMember], status: 204 },
    {
      send: ['PATCH', '/Groups/{group}', forms.renameGroup],
      status: 204,
      believes: { group: { displayName: 'Builders', members: ['{babs}'] } },
    },
    {
      send: ['PATCH', '/Users/{babs}', forms.disable],
      status: 200,
      believes: { babs: { ...renamed, active: false } },
    },
    { send: ['PATCH', '/Users/{babs}', forms.enable], status: 200, believes: { babs: renamed } },
    {
      send: ['PATCH', '/Groups/{group}', forms.removeMember],
      status: 204,
      believes: { group: { displayName: 'Builders', members: [] } },
    },
    {
      send: ['PATCH', '/Groups/{group}', forms.addMember],
      status: 204,
      believes: { group: { displayName: 'Builders', members: ['{babs}'] } },
    },
    {
      send: ['DELETE', '/Users/{babs}'],
      status: 204,
      believes: { babs: null, group: { displayName: 'Builders', members: [] } },
    },
    { send: ['DELETE', '/Groups/{group}'], status: 204, believes: { group: null } },
  ];
}

const MANAGER = '26118915-6090-4610-87e4-49d8ca9f808d';

export const entraWithoutFlag: readonly Step[] = entra({
  rename: patch(
    { op: 'Replace', path: 'displayName', value: 'Babs Lee' },
    { op: 'Replace', path: 'name.familyName', value: 'Lee' },
    { op: 'Replace', path: 'emails[type eq "work"].value', value: 'blee@contoso.example' },
    { op: 'Add', path: `${ENTERPRISE}:department`, value: 'R&D' },
    { op: 'Add', path: `${ENTERPRISE}:manager`, value: MANAGER },
  ),
  disable: patch({ op: 'Replace', path: 'active', value: 'False' }),
  enable: patch({ op: 'Replace', path: 'active', value: 'True' }),
  addMember: patch({ op: 'Add', path: 'members', value: [{ $ref: null, value: '{babs}' }] }),
  removeMember: patch({ op: 'Remove', path: 'members', value: [{ $ref: null, value: '{babs}' }] }),
  renameGroup: patch({ op: 'Replace', path: 'displayName', value: 'Builders' }),
});

export const entraWithFlag: readonly Step[] = entra({
  rename: patch(
    { op: 'replace', path: 'emails[type eq "work"].value', value: 'blee@contoso.example' },
    {
      op: 'add',
      value: { [`${ENTERPRISE}:department`]: 'R&D', [`${ENTERPRISE}:manager`]: MANAGER },
    },
    { op: 'replace', value: { displayName: 'Babs Lee', 'name.familyName': 'Lee' } },
  ),
  disable: patch({ op: 'replace', path: 'active', value: false }),
  enable: patch({ op: 'replace', path: 'active', value: true }),
  addMember: patch({ op: 'add', path: 'members', value: [{ value: '{babs}' }] }),
  removeMember: patch({ op: 'remove', path: 'members[value eq "{babs}"]' }),
  renameGroup: patch({ op: 'replace', value: { displayName: 'Builders' } }),
});
