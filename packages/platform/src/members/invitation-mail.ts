import type { Mail } from '@probity/core';
import { hashSecret } from '@probity/core/internal';
import { toMailName } from '../mails/names.ts';
import type { Organization } from '../organizations/types.ts';
import type { Invitation } from './types.ts';

/**
 * Composes the invitation mail. Its link is `<base>/invitations/accept?token=<token>`, with the
 * token for `POST /v1/invitations/accept`.
 */
export function invitationMail(
  invitation: Invitation,
  organization: Pick<Organization, 'name'>,
  token: string,
  baseUrl: string,
): Mail {
  const name = toMailName(organization.name);
  const until = invitation.expiresAt.toISOString().slice(0, 16).replace('T', ' ');
  return {
    id: `${invitation.id}.${hashSecret(token).slice(0, 12)}`,
    to: invitation.email,
    // Nothing that the sender has chosen: a stranger reads it as ours.
    subject: 'Invitation to Probity',
    text: [
      `You are invited to join ${name} on Probity with the role ${invitation.role}.`,
      '',
      'Accept the invitation here:',
      `${baseUrl}/invitations/accept?token=${token}`,
      '',
      'Or, without a browser, send this token and a password to POST /v1/invitations/accept:',
      token,
      '',
      `It works once and expires at ${until} UTC. Do not share it.`,
      'If you did not expect this invitation, you can ignore it.',
      '',
    ].join('\n'),
  };
}
