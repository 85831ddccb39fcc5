import { randomUUID } from 'node:crypto';
import type { RecordedCall } from './example-calls.ts';
import type { PreparedCall } from './post-recipes.ts';
import { call } from './support.ts';

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const SERVICE = 'urn:service:params:scim:schemas:extension:1.0';
const MESSAGES = 'urn:ietf:params:scim:api:messages:2.0';

/** The server as its identity provider calls it. */
export interface ScimWorld {
  readonly url: string;
  readonly organizationId: string;
  readonly scimToken: string;
}

/** The body of a new user. */
function scimUser(email = `${randomUUID()}@acme.example`): object {
  return {
    schemas: [USER, SERVICE],
    userName: email,
    name: { givenName: 'Bob', familyName: 'Gray' },
    displayName: 'Bob Gray',
    emails: [{ value: email, type: 'work', primary: true }],
    active: true,
    [SERVICE]: { department: 'Research', roles: ['editor'] },
  };
}

/** The body of a new group. */
function scimGroup(members: readonly string[] = []): object {
  return {
    schemas: [GROUP],
    displayName: `Team ${randomUUID().slice(0, 8)}`,
    members: members.map((value) => ({ value })),
  };
}

/** Creates a user and a group with it; returns their ids. */
export async function makeScimResources({ url, scimToken }: Omit<ScimWorld, 'organizationId'>) {
  const make = async (path: string, body: object): Promise<string> => {
    const answer = await call(`${url}/scim/v2${path}`, scimToken, 'POST', body);
    if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body.id;
  };
  const userId = await make('/Users', scimUser());
  return { userId, groupId: await make('/Groups', scimGroup([userId])) };
}

/** Valid bodies of changes, by operation. */
export const SCIM_BODIES: Readonly<Record<string, object>> = {
  replaceScimUser: scimUser(),
  replaceScimGroup: scimGroup(),
  patchScimUser: patchOf({ op: 'replace', path: 'active', value: false }),
  patchScimGroup: patchOf({ op: 'replace', path: 'displayName', value: 'Crew' }),
};

function patchOf(...Operations: object[]): object {
  return { schemas: [`${MESSAGES}:PatchOp`], Operations };
}

/** Calls every SCIM operation that takes a body. */
export async function callScim(world: ScimWorld): Promise<RecordedCall[]> {
  const { userId, groupId } = await makeScimResources(world);
  const search = {
    schemas: [`${MESSAGES}:SearchRequest`],
    filter: 'displayName sw "Team"',
    attributes: ['displayName'],
    count: 1,
  };
  const bulk = {
    schemas: [`${MESSAGES}:BulkRequest`],
    failOnErrors: 1,
    Operations: [
      { method: 'POST', bulkId: 'bob', path: '/Users', data: scimUser() },
      { method: 'POST', bulkId: 'team', path: '/Groups', data: scimGroup(['bulkId:bob']) },
    ],
  };
  const userFilter = { ...search, filter: 'userName pr', attributes: ['userName'] };
  const calls = [
    ['createScimUser', 'POST', '/Users', scimUser()],
    ['createScimGroup', 'POST', '/Groups', scimGroup([userId])],
    ['searchScimUsers', 'POST', '/Users/.search', userFilter],
    ['searchScimGroups', 'POST', '/Groups/.search', search],
    ['searchScim', 'POST', '/.search', search],
    ['runScimBulk', 'POST', '/Bulk', bulk],
    ['patchScimUser', 'PATCH', `/Users/${userId}`, SCIM_BODIES.patchScimUser],
    [
      'patchScimGroup',
      'PATCH',
      `/Groups/${groupId}?attributes=displayName`,
      SCIM_BODIES.patchScimGroup,
    ],
    ['replaceScimUser', 'PUT', `/Users/${userId}`, scimUser()],
    ['replaceScimGroup', 'PUT', `/Groups/${groupId}`, scimGroup([userId])],
  ] as const;
  const recorded: RecordedCall[] = [];
  for (const [operationId, method, path, request] of calls) {
    const { status, body } = await call(
      `${world.url}/scim/v2${path}`,
      world.scimToken,
      method,
      request,
    );
    recorded.push({ operationId, request, status, response: body });
  }
  return [...recorded, await issueToken(world)];
}

async function issueToken({ url, organizationId, scimToken }: ScimWorld): Promise<RecordedCall> {
  const form = { grant_type: 'client_credentials', client_id: organizationId };
  const body = new URLSearchParams({ ...form, client_secret: scimToken });
  const response = await fetch(`${url}/scim/v2/oauth/token`, { method: 'POST', body });
  const { status } = response;
  return { operationId: 'issueScimAccessToken', status, response: await response.json() };
}

/** One change by an identity provider. */
export interface ScimCall extends PreparedCall {
  /** Number of users and groups that it changes; default 1. */
  readonly changes?: number;
}

type ScimRecipe = (world: Omit<ScimWorld, 'organizationId'>) => Promise<ScimCall>;

/** A change of a new user or group, whose id takes the place of `ID`. */
function changeOf(kind: 'Users' | 'Groups', status: number, body?: () => object): ScimRecipe {
  return async (world) => {
    const { userId, groupId } = await makeScimResources(world);
    const path = `/scim/v2/${kind}/${kind === 'Users' ? userId : groupId}`;
    return { path, status, ...(body ? { body: body() } : {}) };
  };
}

/** Changes by an identity provider, by operation. */
export const SCIM_RECIPES: Readonly<Record<string, ScimRecipe>> = {
  createScimUser: async () => ({ path: '/scim/v2/Users', status: 201, body: scimUser() }),
  createScimGroup: async () => ({ path: '/scim/v2/Groups', status: 201, body: scimGroup() }),
  runScimBulk: async () => ({
    path: '/scim/v2/Bulk',
    status: 200,
    body: {
      Operations: [
        { method: 'POST', bulkId: 'bob', path: '/Users', data: scimUser() },
        { method: 'POST', bulkId: 'team', path: '/Groups', data: scimGroup(['bulkId:bob']) },
      ],
    },
    changes: 2,
  }),
  replaceScimUser: changeOf('Users', 200, scimUser),
  patchScimUser: changeOf('Users', 200, () => SCIM_BODIES.patchScimUser ?? {}),
  deleteScimUser: changeOf('Users', 204),
  replaceScimGroup: changeOf('Groups', 200, scimGroup),
  patchScimGroup: changeOf('Groups', 204, () => SCIM_BODIES.patchScimGroup ?? {}),
  deleteScimGroup: changeOf('Groups', 204),
};

/** Operations that change nothing, and that for an access token, which needs none. */
export const SCIM_OTHERS: readonly string[] = [
  ...['searchScim', 'searchScimUsers', 'searchScimGroups'],
  ...['postScimMe', 'putScimMe', 'patchScimMe', 'deleteScimMe'],
  'issueScimAccessToken',
];
