import { collectBytes } from '@probity/core/internal';
import type { Endpoint } from '@probity/core/koa';
import { endpoint, secretText, stream } from '@probity/core/koa';
import { z } from 'zod';
import type { ClientCredentials } from './client-credentials.ts';

/** Largest body of a token request, in bytes. */
const MAX_FORM_BYTES = 16_384;

const issued = z
  .strictObject({
    access_token: secretText(),
    token_type: z.literal('Bearer'),
    expires_in: z.int().positive().describe('Seconds.'),
  })
  .meta({ id: 'ScimAccessToken' });

const failed = z
  .strictObject({ error: z.string(), error_description: z.string() })
  .meta({ id: 'ScimAccessTokenError', description: 'RFC 6749, section 5.2.' });

const JSON_TYPE = 'application/json';
const NOT_STORED = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };
const CHALLENGE = { 'WWW-Authenticate': 'Basic realm="probity-scim"' };

/** Declares the token endpoint for client credentials (RFC 6749, section 4.4). */
export function tokenEndpoints(clients: ClientCredentials): Endpoint[] {
  return [
    endpoint({
      method: 'POST',
      path: '/oauth/token',
      operationId: 'issueScimAccessToken',
      summary: 'Get an access token by client credentials',
      description:
        'The client is given in the form or by HTTP Basic: its id is that of the organization, its secret a SCIM ' +
        'token. The access token ends with the SCIM token.',
      tag: 'SCIM',
      permission: 'public',
      rateLimit: 'scim',
      unknownQuery: 'ignore',
      body: stream({ types: ['application/x-www-form-urlencoded'], limit: MAX_FORM_BYTES }),
      responses: {
        200: { description: 'The access token', schema: issued, mediaType: JSON_TYPE },
        400: { description: 'The request is malformed', schema: failed, mediaType: JSON_TYPE },
        401: { description: 'The client is not known', schema: failed, mediaType: JSON_TYPE },
      },
      errors: ['forbidden'],
      async handler({ context, headers, body, reply }) {
        const form = new URLSearchParams(await readText(body));
        if (form.get('grant_type') !== 'client_credentials') {
          const error = form.has('grant_type') ? 'unsupported_grant_type' : 'invalid_request';
          const error_description = 'grant_type must be client_credentials';
          return reply(400, { error, error_description }, { headers: NOT_STORED });
        }
        const client = clientOf(headers.authorization, form);
        const token = client && (await clients.issue({ ...client, address: context.address }));
        if (!token) {
          const error_description = 'the client id or the client secret is not valid';
          const answer = { error: 'invalid_client', error_description };
          return reply(401, answer, { headers: { ...NOT_STORED, ...CHALLENGE } });
        }
        const { token: access_token, expiresInSeconds: expires_in } = token;
        const answer = { access_token, token_type: 'Bearer', expires_in } as const;
        return reply(200, answer, { headers: NOT_STORED });
      },
    }),
  ];
}

async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  return new TextDecoder().decode(await collectBytes(body));
}

const BASIC = /^basic +([\w+/=-]+)$/i;

/** The client of HTTP Basic, whose parts are form-encoded (RFC 6749, section 2.3.1), else of the form. */
function clientOf(authorization: string | undefined, form: URLSearchParams) {
  const encoded = BASIC.exec(authorization ?? '')?.[1];
  if (encoded !== undefined) {
    const text = Buffer.from(encoded, 'base64').toString('utf8');
    const colon = text.indexOf(':');
    if (colon < 0) return null;
    return { clientId: decode(text.slice(0, colon)), clientSecret: decode(text.slice(colon + 1)) };
  }
  const [clientId, clientSecret] = [form.get('client_id'), form.get('client_secret')];
  return clientId === null || clientSecret === null ? null : { clientId, clientSecret };
}

function decode(text: string): string {
  return new URLSearchParams(`x=${text}`).get('x') ?? '';
}
