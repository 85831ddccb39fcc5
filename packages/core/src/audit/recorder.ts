import type { Clock } from '../clock.ts';
import type { CallContext } from '../context.ts';
import type { Ids } from '../ids.ts';
import { maskSecrets } from './masking.ts';
import type { AuditWrites } from './storage.ts';
import type { AuditActor, AuditFields, AuditTarget } from './types.ts';

/** The fields that a change concerns, before and after; secrets are masked by their names. */
export interface AuditChange {
  /** Null, the default, where the resource did not exist. */
  readonly before?: AuditFields | null;
  /** Null, the default, where it does not exist any more. */
  readonly after?: AuditFields | null;
}

/** Who makes a change that no call causes: a part of the program, by name. */
export interface SystemActor {
  readonly organizationId: string;
  /** Name of the part, such as `webhook-deliverer`. */
  readonly system: string;
}

/** Records changes in the audit log, in the transaction that makes them. */
export interface AuditRecorder {
  /**
   * @param by the call that makes the change, or the part of the program
   * @param action `resource.verb-in-past`, such as `api_key.created`
   */
  record(
    tx: Pick<AuditWrites, 'recordAudit'>,
    by: CallContext | SystemActor,
    action: string,
    target: AuditTarget,
    change?: AuditChange,
  ): Promise<void>;
}

/** Creates the recorder. */
export function createAuditRecorder({ ids, clock }: { ids: Ids; clock: Clock }): AuditRecorder {
  return {
    record(tx, by, action, target, { before = null, after = null } = {}) {
      return tx.recordAudit({
        id: ids.next('aud'),
        ...originOf(by),
        action,
        target,
        before: maskSecrets(before),
        after: maskSecrets(after),
        createdAt: clock.now(),
      });
    },
  };
}

interface AuditOrigin {
  readonly organizationId: string;
  readonly actor: AuditActor;
  readonly address: string | null;
  readonly requestId: string | null;
}

function originOf(by: CallContext | SystemActor): AuditOrigin {
  if ('system' in by) {
    const actor: AuditActor = { type: 'system', id: by.system, credentialId: null };
    return { organizationId: by.organizationId, actor, address: null, requestId: null };
  }
  const { principal, address, requestId } = by;
  const { organizationId, memberId, keyId } = principal;
  const actor: AuditActor = { type: 'member', id: memberId, credentialId: keyId };
  return { organizationId, actor, address, requestId };
}
