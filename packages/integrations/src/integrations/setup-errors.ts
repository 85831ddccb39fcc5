import type { FieldError } from '@probity/core';
import { ProbityError, validationError } from '@probity/core';
import { RemoteFailure } from '../remote/failure.ts';
import type { IntegrationType } from './types.ts';

/** Error codes of Microsoft's token endpoint, at the beginning of its description, by the field at fault. */
const MICROSOFT_FAULTS: ReadonlyArray<readonly [code: RegExp, field: string]> = [
  [/AADSTS(?:90002|900023)\b/, 'tenant_id'],
  [/AADSTS(?:700016|7000229)\b/, 'client_id'],
  [/AADSTS(?:7000215|7000222)\b/, 'client_secret'],
];

/** OAuth errors that are about the client (RFC 6749, section 5.2). */
const CLIENT_ERRORS: readonly string[] = ['invalid_client', 'unauthorized_client', 'access_denied'];

/** The error of a set-up whose verification failed; other errors are returned as they are. */
export function toSetupError(error: unknown, type: IntegrationType): unknown {
  if (!(error instanceof RemoteFailure)) return error;
  if (error.kind === 'interrupted')
    return new ProbityError('unavailable', undefined, { cause: error });
  return validationError(...faultsOf(error, type));
}

/** The error of an address that must not be called, or does not answer. */
export function targetError(type: IntegrationType, message: string): ProbityError {
  return validationError({ field: targetField(type), message });
}

/** The member of a set-up that names the system. */
function targetField(type: IntegrationType): string {
  return type === 'itsm' ? 'instance_url' : 'tenant_id';
}

function faultsOf({ kind, message, oauthError, status }: RemoteFailure, type: IntegrationType) {
  const fault = (field: string, text: string): FieldError => ({ field, message: text });
  if (kind !== 'refused') {
    return [fault(targetField(type), `leads to a system that does not answer: ${message}`)];
  }
  const known = MICROSOFT_FAULTS.find(([code]) => code.test(message));
  if (known) return [fault(known[1], `was refused: ${message}`)];
  const isAboutClient = status === 401 || CLIENT_ERRORS.includes(oauthError ?? '');
  if (!isAboutClient) return [fault(targetField(type), `gives no token: ${message}`)];
  return ['client_id', 'client_secret'].map((field) =>
    fault(field, `or the other credential was refused: ${message}`),
  );
}
