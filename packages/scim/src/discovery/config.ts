import { MAX_BODY_BYTES, MAX_BULK_OPERATIONS } from '../bulk/limits.ts';
import { DEFAULT_COUNT, MAX_COUNT } from '../lists/request.ts';
import type { JsonObject } from '../schemas/types.ts';

/** URN of the schema of `/ServiceProviderConfig`. */
const CONFIG_SCHEMA_ID = 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig';

/**
 * The body of `/ServiceProviderConfig` (RFC 7643, section 5; RFC 9865, section 4). Cursors hold no state and never
 * expire, so there is no `cursorTimeout`.
 */
export function toConfigBody(baseUrl: string, hasOauth: boolean): JsonObject {
  return {
    schemas: [CONFIG_SCHEMA_ID],
    patch: { supported: true },
    bulk: {
      supported: true,
      maxOperations: MAX_BULK_OPERATIONS,
      maxPayloadSize: MAX_BODY_BYTES,
    },
    filter: { supported: true, maxResults: MAX_COUNT },
    changePassword: { supported: false },
    sort: { supported: true },
    etag: { supported: true },
    pagination: {
      cursor: true,
      index: true,
      defaultPaginationMethod: 'index',
      defaultPageSize: DEFAULT_COUNT,
      maxPageSize: MAX_COUNT,
    },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'OAuth Bearer Token',
        description: 'A SCIM token of the organization in the header Authorization: Bearer.',
        specUri: 'https://www.rfc-editor.org/info/rfc6750',
        primary: true,
      },
      ...(hasOauth ? [CLIENT_CREDENTIALS] : []),
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${baseUrl}/ServiceProviderConfig` },
  };
}

const CLIENT_CREDENTIALS: JsonObject = {
  type: 'oauth2',
  name: 'OAuth 2.0 Client Credentials',
  description: 'Access tokens of /oauth/token; the client secret is a SCIM token.',
  specUri: 'https://www.rfc-editor.org/info/rfc6749',
};
