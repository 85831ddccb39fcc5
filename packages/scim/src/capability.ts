import type { Capability, Clock, Runtime } from '@probity/core';
import type { GroupRouting } from '@probity/core/koa';
import { platformErrors, scimErrors } from '@probity/core/koa';
import type { ScimActivity } from './activity/activity.ts';
import { createScimActivity } from './activity/activity.ts';
import { activityEndpoints } from './activity/http.ts';
import type { ScimActivityStorage } from './activity/storage.ts';
import { scimDocumentation } from './documentation.ts';
import { createGroups } from './groups/groups.ts';
import type { ScimServices } from './http.ts';
import { scimEndpoints } from './http.ts';
import type { ClientCredentials } from './oauth/client-credentials.ts';
import { QUIRKS } from './patch/quirks.ts';
import type { Provisioning } from './provisioning.ts';
import type { UserNames } from './resources/user-name.ts';
import type { ScimStorage } from './storage.ts';
import { createAccounts } from './users/account.ts';
import { createUsers } from './users/users.ts';

/** Options of the SCIM capability. */
export interface ScimCapabilityOptions {
  readonly storage: ScimStorage;
  /** Changes the accounts of people as their users change; default: there are only users and groups. */
  readonly provisioning?: Provisioning | undefined;
  /** Which texts are userNames; default `email`, which a provisioning needs. */
  readonly userNames?: UserNames | undefined;
  /** Authentication of identity providers; default: that of the other endpoints. */
  readonly access?: Pick<GroupRouting, 'authenticate' | 'confirm'> | undefined;
  /** Issues access tokens that `access` accepts; default: there is no token endpoint. */
  readonly clientCredentials?: ClientCredentials | undefined;
  /** Stores the latest requests, for administrators; default: they are not recorded. */
  readonly activity?: ScimActivityStorage | undefined;
  /** Path prefix of the endpoint that lists them; default `/v1`. */
  readonly administrationPrefix?: string | undefined;
  /** Base of absolute URLs, without the prefix. */
  readonly baseUrl: () => string;
  /** Default: `/scim/v2`. */
  readonly prefix?: string | undefined;
}

/** Default path prefix of the SCIM interface. */
const SCIM_PREFIX = '/scim/v2';

/** Default path prefix of the platform interface, where administrators call. */
const ADMINISTRATION_PREFIX = '/v1';

/**
 * The SCIM capability: services and endpoints.
 * @throws Error when userNames need not be e-mail addresses and there is a provisioning
 */
export function createScimCapability(
  runtime: Runtime,
  options: ScimCapabilityOptions,
): Capability<ScimServices> {
  const { storage, provisioning, access, clientCredentials, prefix = SCIM_PREFIX } = options;
  if (provisioning && options.userNames === 'any') {
    throw new Error(
      'scim: userNames must be email: accounts of a provisioning have an e-mail address',
    );
  }
  const { administrationPrefix = ADMINISTRATION_PREFIX } = options;
  const baseUrl = () => options.baseUrl() + prefix;
  const activity = options.activity && createScimActivity(runtime, { storage: options.activity });
  const services: ScimServices = {
    users: createUsers(runtime, {
      storage,
      baseUrl,
      accounts: createAccounts(provisioning),
      userNames: options.userNames,
    }),
    groups: createGroups(runtime, { storage, baseUrl }),
  };
  return {
    name: 'scim',
    services,
    groups: [
      {
        prefix,
        errorFormat: scimErrors,
        endpoints: scimEndpoints(services, {
          baseUrl,
          clientCredentials,
          hasGroups: storage.hasGroups,
        }),
        hasIdempotency: false,
        documentation: scimDocumentation,
        routing: {
          ...(access ? { authenticate: access.authenticate, confirm: access.confirm } : {}),
          matching: QUIRKS.pathForm.read,
          ...(activity ? { observe: recorderOf(activity, runtime.clock) } : {}),
        },
      },
      ...(activity
        ? [
            {
              prefix: administrationPrefix,
              errorFormat: platformErrors,
              endpoints: activityEndpoints(activity),
              documentation: scimDocumentation,
            },
          ]
        : []),
    ],
    serving: activity
      ? [{ name: 'SCIM activity', start: activity.start, stop: activity.stop }]
      : [],
  };
}

/** Records the requests of identity providers as they are answered. */
function recorderOf(activity: ScimActivity, clock: Clock): GroupRouting['observe'] {
  return ({ principal, method, path, status, error }) => {
    const detail = error === null ? null : error.message;
    activity.record(principal.organizationId, { at: clock.now(), method, path, status, detail });
  };
}
