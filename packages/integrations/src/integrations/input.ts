import { MAX_URL_LENGTH } from '@probity/core/internal';
import { z } from 'zod';
import { choice } from '../itsm/input.ts';
import { SEVERITIES } from './types.ts';

const MAX_CREDENTIAL = 512;
const MAX_ID = 256;

/** A client id or secret: visible characters, as they are copied from a page. */
function credential(description: string) {
  return z
    .string()
    .min(1, 'must not be empty')
    .max(MAX_CREDENTIAL, `must have at most ${MAX_CREDENTIAL} characters`)
    .regex(/^[\x21-\x7e]*$/, 'must have visible ASCII characters only')
    .describe(description);
}

const clientId = credential('Id of the OAuth client.');
const clientSecret = credential('Secret of the OAuth client; stored encrypted and never returned.');

/** Tenants that stand for many, with which an application cannot sign in as itself. */
const SHARED_TENANTS: readonly string[] = ['common', 'organizations', 'consumers'];

const tenantId = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9.-]{0,252}[a-z0-9])?$/i, 'must be the id or a domain of a tenant')
  .refine(
    (text) => !SHARED_TENANTS.includes(text.toLowerCase()),
    'must name one tenant, not common, organizations or consumers',
  )
  .describe('Directory (tenant) id, or a verified domain of the tenant.');

/** The body of `POST /integrations/itsm`. */
export const newItsm = z
  .strictObject({
    // The service checks the address, and its messages say what is wrong with it.
    instance_url: z.string().meta({
      format: 'uri',
      maxLength: MAX_URL_LENGTH,
      description: 'Base URL of the ServiceNow instance: https, with a public address.',
    }),
    client_id: clientId,
    client_secret: clientSecret,
  })
  .meta({ id: 'NewItsmIntegration' });

/** The body of `POST /integrations/chatops`. */
export const newChatops = z
  .strictObject({ tenant_id: tenantId, client_id: clientId, client_secret: clientSecret })
  .meta({ id: 'NewChatopsIntegration' });

function remoteId(description: string) {
  return z
    .string()
    .max(MAX_ID, `must have at most ${MAX_ID} characters`)
    .regex(/^[\w:@.=+-]+$/, 'must be an id as Microsoft Graph shows it')
    .describe(description);
}

/** Which alerts are sent, and how. */
const routing = z
  .strictObject({
    severities: z
      .array(z.enum(SEVERITIES, `must be one of ${SEVERITIES.join(', ')}`))
      .min(1, 'must name at least one severity')
      .describe('Alerts of these severities are sent; repeated ones count once.'),
    category: choice.optional().describe('Of incidents: the category; for `itsm`.'),
    subcategory: choice.optional().describe('Of incidents: the subcategory; for `itsm`.'),
    team_id: remoteId('The team of the channel; for `chatops`.').optional(),
    channel_id: remoteId('The channel that messages are posted in; for `chatops`.').optional(),
    chat_id: remoteId('A chat in place of a channel; for `chatops`.').optional(),
  })
  .meta({ id: 'AlertRouting' });

/** The body of `PATCH /integrations/{integration_id}`. */
export const integrationChanges = z
  .strictObject({
    routing: routing.nullable().optional().describe('Null sends no alerts.'),
    client_id: clientId.optional(),
    client_secret: clientSecret.optional(),
  })
  .meta({ id: 'IntegrationChanges' });

/** The input of an update. */
export type IntegrationChanges = z.input<typeof integrationChanges>;

/** A routing as callers send it. */
export type RoutingInput = z.output<typeof routing>;
