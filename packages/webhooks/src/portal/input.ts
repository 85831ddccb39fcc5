import { z } from 'zod';
import { MAX_WEBHOOKS } from '../webhooks/limits.ts';
import { PORTAL_CAPABILITIES } from './capabilities.ts';

/** The shortest and the longest duration of a token, and that of one for which none is given. */
export const PORTAL_TOKEN_SECONDS = { least: 60, most: 86_400, usual: 3_600 } as const;

const { least, most, usual } = PORTAL_TOKEN_SECONDS;
const SECONDS_MESSAGE = `must be an integer from ${least} to ${most}`;

const capability = z
  .enum(PORTAL_CAPABILITIES, `must be one of ${PORTAL_CAPABILITIES.join(', ')}`)
  .meta({
    id: 'PortalCapability',
    description:
      '- `view`: list and get webhooks, event types and statistics\n' +
      '- `endpoint`: create, change, turn on and delete webhooks\n' +
      '- `secret`: see the secret of a new webhook, and replace it\n' +
      '- `attempts`: list deliveries with their bodies, send them again, replay, recover, send tests',
  });

/** The `capabilities` of a portal token. */
export const capabilityList = z.array(capability);

/** The members of a new portal token, of which each host of the schema names the duration in its way. */
export const newPortalTokenMembers = {
  capabilities: capabilityList.min(1, 'must name at least one capability'),
  seconds: z
    .int(SECONDS_MESSAGE)
    .min(least, SECONDS_MESSAGE)
    .max(most, SECONDS_MESSAGE)
    .optional()
    .describe(`Seconds for which the token is valid, ${least} to ${most}; default ${usual}.`),
  webhookIds: z
    .array(z.string())
    .min(1, 'must name at least one webhook; without it the token has all')
    .max(MAX_WEBHOOKS, `must have at most ${MAX_WEBHOOKS} ids`)
    .optional()
    .describe(
      'The only webhooks that the token may use; it then creates none. Default: all of the organization.',
    ),
};

const { capabilities, webhookIds, seconds } = newPortalTokenMembers;

/** A new portal token in code. */
export const portalTokenInput = z.strictObject({
  capabilities,
  webhookIds,
  expiresInSeconds: seconds,
});

/** The id of a member. */
export const memberId = z.string().min(1, 'must not be empty');

/** A filter of portal tokens in code. */
export const portalTokenFilterInput = z.strictObject({ memberId: memberId.optional() });
