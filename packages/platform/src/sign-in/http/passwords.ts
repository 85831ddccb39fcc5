import type { Endpoint } from '@probity/core/koa';
import { emailText, endpoint } from '@probity/core/koa';
import { z } from 'zod';
import type { SignIn } from '../sign-in.ts';
import { authShared, passwordField, toCall } from './replies.ts';

const RULES =
  '8 to 1024 characters, neither the e-mail address nor one of the most common passwords.';

const passwordChange = z
  .strictObject({
    current_password: passwordField,
    new_password: passwordField.describe(RULES),
  })
  .meta({ id: 'PasswordChange' });

const passwordResetRequest = z
  .strictObject({ email: emailText })
  .meta({ id: 'PasswordResetRequest' });

const passwordReset = z
  .strictObject({
    token: z.string().max(100, 'must have at most 100 characters'),
    password: passwordField.describe(RULES),
  })
  .meta({ id: 'PasswordReset' });

/** Endpoints for passwords. */
export function passwordEndpoints({ changePassword, passwordResets }: SignIn): Endpoint[] {
  return [
    endpoint({
      ...authShared,
      method: 'POST',
      path: '/auth/password',
      operationId: 'changePassword',
      summary: 'Change your own password',
      description: 'All your other sessions end.',
      permission: 'session:write',
      body: passwordChange,
      responses: { 204: { description: 'The password is changed' } },
      errors: ['conflict', 'not_found'],
      async handler({ context, body, reply }) {
        await changePassword(context, {
          currentPassword: body.current_password,
          newPassword: body.new_password,
        });
        return reply(204);
      },
    }),
    endpoint({
      ...authShared,
      method: 'POST',
      path: '/auth/password/forgot',
      operationId: 'forgetPassword',
      summary: 'Request a password reset by e-mail',
      description: 'The response does not reveal whether a member has this e-mail address.',
      permission: 'public',
      body: passwordResetRequest,
      responses: {
        202: { description: 'Accepted; an e-mail is sent if an active member has this address' },
      },
      async handler({ body, reply }) {
        await passwordResets.request(body.email);
        return reply(202);
      },
    }),
    endpoint({
      ...authShared,
      method: 'POST',
      path: '/auth/password/reset',
      operationId: 'resetPassword',
      summary: 'Set a new password with a reset token',
      description:
        'The token works once and expires after one hour. All sessions of the member end.',
      permission: 'public',
      body: passwordReset,
      responses: { 204: { description: 'The password is set' } },
      errors: ['not_found', 'conflict', 'forbidden'],
      async handler({ context, body, reply }) {
        await passwordResets.reset(toCall(context), body.token, body.password);
        return reply(204);
      },
    }),
  ];
}
