import type { Endpoint } from '@probity/core/koa';
import { endpoint, secretText } from '@probity/core/koa';
import { z } from 'zod';
import type { SignIn } from '../sign-in.ts';
import { authShared, otpField, passwordField } from './replies.ts';

const status = z
  .strictObject({
    enabled: z.boolean(),
    recovery_codes_left: z.int().nonnegative(),
  })
  .meta({ id: 'MfaStatus' });

const enrollment = z
  .strictObject({
    secret: secretText().describe('Base32 secret for manual entry in an authenticator app.'),
    otpauth_url: secretText().describe('otpauth URL to show as a QR code.'),
  })
  .meta({ id: 'MfaEnrollment' });

const confirmation = z.strictObject({ otp: otpField }).meta({ id: 'MfaConfirmation' });

const beginning = z.strictObject({ password: passwordField }).meta({ id: 'MfaBeginning' });

const proof = z.strictObject({ password: passwordField, otp: otpField }).meta({ id: 'MfaProof' });

const recoveryCodes = z
  .strictObject({ recovery_codes: z.array(secretText()) })
  .meta({ id: 'RecoveryCodes' });

const write = { ...authShared, permission: 'session:write' } as const;

/** Endpoints for the caller's own second factor. */
export function mfaEndpoints({ mfa }: SignIn): Endpoint[] {
  return [
    endpoint({
      ...authShared,
      method: 'GET',
      path: '/auth/mfa',
      operationId: 'getMfa',
      summary: 'Get the status of the second factor',
      description:
        'Returns whether the second factor of the calling member is enabled, and how many recovery codes are unused.',
      permission: 'session:read',
      responses: { 200: { description: 'The status of the second factor', schema: status } },
      errors: ['not_found'],
      async handler({ context, reply }) {
        const { enabled, recoveryCodesLeft } = await mfa.status(context);
        return reply(200, { enabled, recovery_codes_left: recoveryCodesLeft });
      },
    }),
    endpoint({
      ...write,
      method: 'POST',
      path: '/auth/mfa',
      operationId: 'beginMfa',
      summary: 'Start the enrollment of an authenticator app',
      description:
        'Creates a TOTP secret (RFC 6238 with SHA-1, 6 digits and steps of 30 seconds). The second factor is enabled when a one-time password confirms it.',
      body: beginning,
      responses: {
        201: { description: 'The secret, returned only in this response', schema: enrollment },
      },
      errors: ['conflict', 'not_found'],
      async handler({ context, body, reply }) {
        const { secret, url } = await mfa.begin(context, body.password);
        return reply(201, { secret, otpauth_url: url });
      },
    }),
    ...changeEndpoints(mfa),
  ];
}

function changeEndpoints(mfa: SignIn['mfa']): Endpoint[] {
  return [
    endpoint({
      ...write,
      method: 'POST',
      path: '/auth/mfa/confirm',
      operationId: 'confirmMfa',
      summary: 'Enable the second factor',
      description:
        'Enables the second factor with a one-time password of the enrolled app. The recovery codes are returned only in this response.',
      body: confirmation,
      responses: {
        200: {
          description: 'The recovery codes, returned only in this response; each replaces one otp',
          schema: recoveryCodes,
        },
      },
      errors: ['conflict', 'not_found'],
      async handler({ context, body, reply }) {
        const codes = await mfa.confirm(context, body.otp);
        return reply(200, { recovery_codes: codes });
      },
    }),
    endpoint({
      ...write,
      method: 'POST',
      path: '/auth/mfa/recovery-codes',
      operationId: 'renewRecoveryCodes',
      summary: 'Replace the recovery codes',
      description:
        'The former recovery codes become invalid. Needs the password and a one-time password or recovery code.',
      body: proof,
      responses: {
        200: {
          description: 'The recovery codes, returned only in this response; each replaces one otp',
          schema: recoveryCodes,
        },
      },
      errors: ['conflict', 'not_found'],
      async handler({ context, body, reply }) {
        const codes = await mfa.renewRecoveryCodes(context, body);
        return reply(200, { recovery_codes: codes });
      },
    }),
    endpoint({
      ...write,
      method: 'DELETE',
      path: '/auth/mfa',
      operationId: 'disableMfa',
      summary: 'Disable the second factor',
      description:
        'Removes the second factor and its recovery codes. Needs the password and a one-time password or recovery code.',
      body: proof,
      responses: { 204: { description: 'The second factor is disabled' } },
      errors: ['conflict', 'not_found'],
      async handler({ context, body, reply }) {
        await mfa.disable(context, body);
        return reply(204);
      },
    }),
  ];
}
