import { ROLES, toPageInfo } from '@probity/core';
import type { Endpoint } from '@probity/core/koa';
import { endpoint, pageInfo, pageQuery, timestamp } from '@probity/core/koa';
import { z } from 'zod';
import { organizationParams } from '../../organizations/http/params.ts';
import { passwordField } from '../../sign-in/http/replies.ts';
import type { Invitations } from '../invitations.ts';
import type { InvitationOverview } from '../types.ts';
import { INVITATION_STATUSES } from '../types.ts';
import { memberSchema, personName, toMemberWire } from './members.ts';

const invitation = z
  .strictObject({
    id: z.string(),
    email: z.string(),
    role: z.enum(ROLES),
    sent_at: timestamp,
    expires_at: timestamp,
    status: z.enum(INVITATION_STATUSES),
  })
  .meta({ id: 'Invitation' });

const newMembership = memberSchema
  .extend({ organization_id: z.string() })
  .meta({ id: 'Membership' });

const acceptance = z
  .strictObject({
    token: z.string().max(100, 'must have at most 100 characters'),
    name: personName.nullish().describe('Replaces the name of the member.'),
    password: passwordField.nullish().describe('Password for sign-in.'),
  })
  .meta({ id: 'InvitationAcceptance' });

const invitationParams = organizationParams.extend({ invitation_id: z.string() });

const shared = { tag: 'Invitations', rateLimit: 'platform' } as const;

/** Endpoints for invitations. */
export function invitationEndpoints(invitations: Invitations): Endpoint[] {
  return [
    listInvitations(invitations),
    resendInvitation(invitations),
    revokeInvitation(invitations),
    acceptInvitation(invitations),
  ];
}

function listInvitations(invitations: Invitations): Endpoint {
  return endpoint({
    ...shared,
    method: 'GET',
    path: '/organizations/{org_id}/invitations',
    operationId: 'listInvitations',
    summary: 'List invitations, oldest first',
    description:
      'Lists all invitations of the organization, including accepted, expired and revoked ones.',
    permission: 'invitations:read',
    params: organizationParams,
    query: pageQuery,
    responses: {
      200: {
        description: 'A page of invitations, including accepted, expired and revoked ones',
        schema: z.strictObject({ invitations: z.array(invitation), ...pageInfo }),
      },
    },
    async handler({ context, query, reply }) {
      const { items, total } = await invitations.list(context, query);
      const body = { invitations: items.map(toWire), ...toPageInfo(query, total) };
      return reply(200, body);
    },
  });
}

function resendInvitation(invitations: Invitations): Endpoint {
  return endpoint({
    ...shared,
    method: 'POST',
    path: '/organizations/{org_id}/invitations/{invitation_id}/resend',
    operationId: 'resendInvitation',
    summary: 'Resend an invitation with a new token and expiry',
    description: 'The previous token becomes invalid. An expired invitation becomes pending again.',
    permission: 'invitations:write',
    params: invitationParams,
    responses: { 200: { description: 'The resent invitation', schema: invitation } },
    errors: ['conflict'],
    async handler({ context, params, reply }) {
      const resent = await invitations.resend(context, params.invitation_id);
      return reply(200, toWire(resent));
    },
  });
}

function revokeInvitation(invitations: Invitations): Endpoint {
  return endpoint({
    ...shared,
    method: 'DELETE',
    path: '/organizations/{org_id}/invitations/{invitation_id}',
    operationId: 'revokeInvitation',
    summary: 'Revoke an invitation and remove its pending member',
    description:
      'The token of the invitation becomes invalid, and the pending member is removed. An accepted invitation is refused with 409.',
    permission: 'invitations:write',
    params: invitationParams,
    responses: { 204: { description: 'The invitation is revoked' } },
    errors: ['conflict'],
    async handler({ context, params, reply }) {
      await invitations.revoke(context, params.invitation_id);
      return reply(204);
    },
  });
}

function acceptInvitation(invitations: Invitations): Endpoint {
  return endpoint({
    ...shared,
    method: 'POST',
    path: '/invitations/accept',
    operationId: 'acceptInvitation',
    summary: 'Accept an invitation with its token',
    description:
      'Activates the pending member that the token was sent to. A token works once and expires after seven days.',
    permission: 'public',
    rateLimit: 'platform',
    body: acceptance,
    responses: { 200: { description: 'The active member', schema: newMembership } },
    errors: ['not_found', 'conflict', 'forbidden'],
    async handler({ context, body, reply }) {
      const member = await invitations.accept(context, {
        token: body.token,
        name: body.name ?? undefined,
        password: body.password ?? undefined,
      });
      const membership = {
        ...toMemberWire(member),
        organization_id: member.organizationId,
      };
      return reply(200, membership);
    },
  });
}

function toWire(item: InvitationOverview): z.infer<typeof invitation> {
  return {
    id: item.id,
    email: item.email,
    role: item.role,
    sent_at: item.sentAt.toISOString(),
    expires_at: item.expiresAt.toISOString(),
    status: item.status,
  };
}
