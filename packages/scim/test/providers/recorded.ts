import { GROUP_SCHEMA, PATCH_OP, USER_SCHEMA } from '../api.ts';

/** What a provider believes that a resource has; null: that there is none. */
type Believed = Readonly<Record<string, unknown>> | null;

/** A request of a provider, and what it believes afterwards of the resources that the request is about. */
export interface Step {
  readonly send: readonly [method: string, path: string, body?: object];
  readonly status: number;
  /** The name by which later steps call the resource that a POST creates, as `{name}`. */
  readonly as?: string;
  /** By name; of other resources it believes what it did. */
  readonly believes?: Readonly<Record<string, Believed>>;
  /** Number of results of a list. */
  readonly finds?: number;
}

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

const patch = (...Operations: object[]) => ({ schemas: [PATCH_OP], Operations });

const find = (type: string, filter: string, rest = '') =>
  ['GET', `/${type}?filter=${encodeURIComponent(filter)}${rest}`] as const;

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

const entraWithoutFlag = entra({
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

const entraWithFlag = entra({
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

const oktaWizard = okta({
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

const oktaCatalogue = okta({
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

/**
 * Sequences of requests as the documents of the providers show them: learn.microsoft.com/entra/identity/app-provisioning/
 * use-scim-to-provision-users-and-groups and application-provisioning-config-problem-scim-compatibility;
 * developer.okta.com/docs/api/openapi/okta-scim/guides/scim-20.
 */
export const RECORDED: Readonly<Record<string, readonly Step[]>> = {
  'Entra ID without aadOptscim062020': entraWithoutFlag,
  'Entra ID with aadOptscim062020': entraWithFlag,
  'Okta, application of the wizard': oktaWizard,
  'Okta, application of the catalogue': oktaCatalogue,
};
