import { ProbityError } from '@probity/core';
import type { PersonalData } from '../compliance/personal-data.ts';
import type { EraseUser } from '../http/operation-endpoints.ts';
import type { GatewaySnapshot } from '../snapshot/snapshot.ts';
import type { AuditRecorder } from './recorder.ts';
import type { AuditTrail } from './trail.ts';

/** Deletes what is stored of a user, under the forms of its id that any configuration has stored, and records that. */
export function createUserErasure(
  { config, hash: configHash }: GatewaySnapshot,
  personal: PersonalData,
  { trail, audit }: { readonly trail: AuditTrail; readonly audit: AuditRecorder },
): EraseUser {
  return async ({ principal, requestId, address }, userId) => {
    const deleted = await trail.eraseUser(personal.formsOfUser(userId)).catch((cause: unknown) => {
      throw new ProbityError('unavailable', 'The audit database does not answer.', { cause });
    });
    const isRecorded = await audit.act(config, {
      ...{ action: 'user.erased', actor: principal.keyId, requestId, configHash },
      address: personal.showAddress(address),
      detail: { rows: deleted },
    });
    if (isRecorded) return deleted;
    // Asked again, nothing is left to delete, and that is recorded as well.
    throw new ProbityError('unavailable', 'The audit database does not answer any more.');
  };
}
