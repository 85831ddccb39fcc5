import type { Router } from '@koa/router';
import type { Endpoint, RouterOptions } from '@probity/core/koa';
import { createEndpointRouter, scimErrors } from '@probity/core/koa';
import { bulkEndpoints } from './bulk/http.ts';
import { discoveryEndpoints } from './discovery/http.ts';
import type { Groups } from './groups/groups.ts';
import type { SearchedType } from './lists/search.ts';
import { searchEndpoints } from './lists/search-http.ts';
import type { ClientCredentials } from './oauth/client-credentials.ts';
import { tokenEndpoints } from './oauth/http.ts';
import { QUIRKS } from './patch/quirks.ts';
import { resourceEndpoints } from './resources/http.ts';
import { GROUP, USER } from './schemas/resource-types.ts';
import type { Users } from './users/users.ts';

/** The services behind the SCIM endpoints. */
export interface ScimServices {
  readonly users: Users;
  readonly groups: Groups;
}

/** Options of the endpoints. */
export interface ScimEndpointOptions {
  /** URL of the SCIM interface in bodies and headers, without a slash at its end. */
  readonly baseUrl: () => string;
  /** Issues access tokens; default: there is no token endpoint. */
  readonly clientCredentials?: ClientCredentials | undefined;
  /** False in an application without groups, see `NO_GROUPS`; default: true. */
  readonly hasGroups?: boolean | undefined;
}

/** Every endpoint of SCIM, relative to `/scim/v2`. */
export function scimEndpoints(
  { users, groups }: ScimServices,
  { baseUrl, clientCredentials, hasGroups = true }: ScimEndpointOptions,
): Endpoint[] {
  const types: readonly SearchedType[] = [
    { resourceType: USER, resources: users },
    { resourceType: GROUP, resources: groups },
  ];
  return [
    ...resourceEndpoints({ resourceType: USER, resources: users, patchAnswer: 'resource' }),
    ...resourceEndpoints({ resourceType: GROUP, resources: groups, patchAnswer: 'on request' }),
    ...searchEndpoints(types),
    ...bulkEndpoints({ types, baseUrl }),
    ...discoveryEndpoints({ baseUrl, hasOauth: clientCredentials !== undefined, hasGroups }),
    ...(clientCredentials ? tokenEndpoints(clientCredentials) : []),
  ];
}

/** Options of the router, which supports no Idempotency-Key. */
export type ScimRouterOptions = Omit<RouterOptions, 'idempotency' | 'baseUrl'> &
  ScimEndpointOptions;

/** The SCIM endpoints as a router, to be mounted at the path of `baseUrl`. */
export function createScimRouter(services: ScimServices, options: ScimRouterOptions): Router {
  const { baseUrl, clientCredentials, hasGroups, ...router } = options;
  const endpoints = scimEndpoints(services, { baseUrl, clientCredentials, hasGroups });
  return createEndpointRouter(endpoints, scimErrors, {
    matching: QUIRKS.pathForm.read,
    ...router,
  });
}
