import { ROLES, toPageInfo, validationError } from '@probity/core';
import type { Endpoint } from '@probity/core/koa';
import {
  emailText,
  endpoint,
  nameText,
  oneOf,
  pageInfo,
  pageQuery,
  timestamp,
} from '@probity/core/koa';
import { z } from 'zod';
import { organizationParams } from '../../organizations/http/params.ts';
import type { Members } from '../members.ts';
import type { Member } from '../types.ts';

const memberShape = {
  id: z.string(),
  email: z.string(),
  name: z.string().nullable(),
  role: z.enum(ROLES),
  status: z.enum(['pending_invite', 'active', 'suspended']),
  created_at: timestamp,
  last_login: timestamp.nullable(),
  mfa_enabled: z.boolean(),
};

/** A member in the API (specification, "Member"). */
export const memberSchema = z.strictObject(memberShape).meta({ id: 'Member' });

const invitedMember = z
  .strictObject({ ...memberShape, invitation_sent_at: timestamp })
  .meta({ id: 'InvitedMember' });

/** Schema of a person's name, at most 200 characters. */
export const personName = nameText(200);

const role = oneOf(ROLES);

const newMember = z
  .strictObject({
    email: emailText,
    name: personName.nullish(),
    role: role.describe("At most the caller's role."),
  })
  .meta({ id: 'NewMember' });

const memberChanges = z
  .strictObject({ role: role.optional(), email: emailText.optional() })
  .meta({ id: 'MemberChanges', description: 'Either a role or an e-mail.' });

const memberParams = organizationParams.extend({ user_id: z.string() });
const changed = { 200: { description: 'The updated member', schema: memberSchema } };

const shared = { tag: 'Members', rateLimit: 'platform' } as const;

/** Endpoints for members. */
export function memberEndpoints(members: Members): Endpoint[] {
  return [listMembers(members), addMember(members), changeRole(members)].concat(
    suspension(members),
    removeMember(members),
  );
}

function listMembers(members: Members): Endpoint {
  return endpoint({
    ...shared,
    method: 'GET',
    path: '/organizations/{org_id}/members',
    operationId: 'listMembers',
    summary: 'List members, oldest first',
    description: 'Lists all members of the organization, including pending and suspended ones.',
    permission: 'members:read',
    params: organizationParams,
    query: pageQuery,
    responses: {
      200: {
        description: 'A page of members, including pending and suspended ones',
        schema: z.strictObject({ members: z.array(memberSchema), ...pageInfo }),
      },
    },
    async handler({ context, query, reply }) {
      const { items, total } = await members.list(context, query);
      const body = { members: items.map(toMemberWire), ...toPageInfo(query, total) };
      return reply(200, body);
    },
  });
}

function addMember(members: Members): Endpoint {
  return endpoint({
    ...shared,
    method: 'POST',
    path: '/organizations/{org_id}/members',
    operationId: 'addMember',
    summary: 'Add a member and send the invitation by e-mail',
    description:
      'Creates a pending member with an invitation, and sends the invitation by e-mail. An e-mail address that the organization already has is refused with 409.',
    permission: 'members:write',
    params: organizationParams,
    body: newMember,
    responses: { 201: { description: 'The pending member', schema: invitedMember } },
    errors: ['already_exists'],
    async handler({ context, body, reply }) {
      const { email, role, name = null } = body;
      const { member, invitation } = await members.invite(context, { email, role, name });
      const invited = {
        ...toMemberWire(member),
        invitation_sent_at: invitation.sentAt.toISOString(),
      };
      return reply(201, invited);
    },
  });
}

function changeRole(members: Members): Endpoint {
  return endpoint({
    ...shared,
    method: 'PATCH',
    path: '/organizations/{org_id}/members/{user_id}',
    operationId: 'changeMemberRole',
    summary: "Change a member's role or e-mail",
    description:
      "Neither the current nor the new role may be higher than the caller's role. Only an owner may change the e-mail, and so confirms an address that an identity provider has changed.",
    permission: 'members:write',
    params: memberParams,
    body: memberChanges,
    responses: changed,
    errors: ['conflict', 'already_exists'],
    async handler({ context, params, body, reply }) {
      const id = params.user_id;
      const { role, email } = body;
      if (role !== undefined && email === undefined) {
        return reply(200, toMemberWire(await members.changeRole(context, id, role)));
      }
      if (email === undefined || role !== undefined) {
        throw validationError({ field: 'role', message: 'give either role or email' });
      }
      return reply(200, toMemberWire(await members.changeEmail(context, id, email)));
    },
  });
}

function suspension(members: Members): Endpoint[] {
  const common = {
    ...shared,
    method: 'POST',
    permission: 'members:write',
    params: memberParams,
    responses: changed,
    errors: ['conflict'],
  } as const;
  return [
    endpoint({
      ...common,
      path: '/organizations/{org_id}/members/{user_id}/suspend',
      operationId: 'suspendMember',
      summary: 'Suspend a member and refuse its API keys and sessions',
      description:
        'The API keys and sessions of the member are refused until the member is reactivated. The last active owner cannot be suspended (409).',
      async handler({ context, params, reply }) {
        return reply(200, toMemberWire(await members.suspend(context, params.user_id)));
      },
    }),
    endpoint({
      ...common,
      path: '/organizations/{org_id}/members/{user_id}/reactivate',
      operationId: 'reactivateMember',
      summary: 'Reactivate a suspended member',
      description:
        'Ends a suspension by an administrator. A member that only the identity provider suspends is refused with 409.',
      async handler({ context, params, reply }) {
        const member = await members.reactivate(context, params.user_id);
        return reply(200, toMemberWire(member));
      },
    }),
  ];
}

function removeMember(members: Members): Endpoint {
  return endpoint({
    ...shared,
    method: 'DELETE',
    path: '/organizations/{org_id}/members/{user_id}',
    operationId: 'removeMember',
    summary: 'Remove a member, or leave the organization',
    description:
      'Every member can remove their own membership; other removals need members:write. ' +
      'The API keys of the member are deleted too.',
    permission: 'members:leave',
    params: memberParams,
    responses: { 204: { description: 'The member is removed' } },
    errors: ['conflict'],
    async handler({ context, params, reply }) {
      await members.remove(context, params.user_id);
      return reply(204);
    },
  });
}

/** Converts a member to its API form. */
export function toMemberWire(member: Member): z.infer<typeof memberSchema> {
  return {
    id: member.id,
    email: member.email,
    name: member.name,
    role: member.role,
    status: member.status,
    created_at: member.createdAt.toISOString(),
    last_login: member.lastLogin?.toISOString() ?? null,
    mfa_enabled: member.mfaEnabled,
  };
}
