import type { Clock } from '../clock.ts';
import type { CallContext } from '../context.ts';
import type { Random } from '../crypto/random.ts';
import type { SecretBox } from '../crypto/secret-box.ts';
import type { Ids } from '../ids.ts';
import type { Logger } from '../logging/logger.ts';
import { silentLogger } from '../logging/logger.ts';
import { maskSecrets } from './masking.ts';
import { createAuditSealer } from './seal.ts';
import type { AuditWrites } from './storage.ts';
import type { AuditActor, AuditFields, AuditTarget } from './types.ts';

/** The changed fields, before and after; secrets are masked by name. */
export interface AuditChange {
  /** Null (the default) when the resource did not exist. */
  readonly before?: AuditFields | null;
  /** Null (the default) when the resource no longer exists. */
  readonly after?: AuditFields | null;
}

/** The request that caused a change. */
export type RequestOrigin = Pick<CallContext, 'requestId' | 'address'>;

/** A part of the program, by name, that makes changes without an authenticated call. */
export interface SystemActor {
  readonly organizationId: string;
  /** Name of the part, such as `webhook-deliverer`. */
  readonly system: string;
  /** The request that caused the change, if any. */
  readonly request?: RequestOrigin;
}

/** A member in an unauthenticated call, identified by a token that the call presents. */
export interface MemberActor {
  readonly organizationId: string;
  readonly memberId: string;
  /**
   * The resource that the token belongs to, such as an invitation; null when none is stored.
   */
  readonly credentialId: string | null;
  readonly request: RequestOrigin;
}

/** Records changes in the audit log, in the transaction that makes them. */
export interface AuditRecorder {
  /**
   * @param by the call that makes the change; where it is not authenticated, the member or the part
   *   of the program
   * @param action `resource.verb-in-past`, such as `api_key.created`
   */
  record(
    tx: Pick<AuditWrites, 'recordAudit'>,
    by: CallContext | SystemActor | MemberActor,
    action: string,
    target: AuditTarget,
    change?: AuditChange,
  ): Promise<void>;
}

/** Dependencies of a recorder. */
export interface AuditRecorderDependencies {
  readonly ids: Ids;
  readonly clock: Clock;
  /** Seals the logs; without it they are hash chains without a key. */
  readonly secretBox?: SecretBox | undefined;
  readonly random?: Random;
  /** Receives a warning when a log is found without the seal that it had. */
  readonly logger?: Logger;
}

/** Creates the recorder. */
export function createAuditRecorder(dependencies: AuditRecorderDependencies): AuditRecorder {
  const { ids, clock, secretBox, random, logger = silentLogger } = dependencies;
  const sealer =
    secretBox &&
    createAuditSealer(secretBox, random, (organizationId, sequence) => {
      const where = { organization_id: organizationId, sequence };
      if (organizationId) logger.warn('an audit log has lost its seal; it is sealed anew', where);
      else logger.warn('the register of audit logs was removed or changed; it is begun anew');
    });
  return {
    record(tx, by, action, target, { before = null, after = null } = {}) {
      const entry = {
        id: ids.next('aud'),
        ...originOf(by),
        action,
        target,
        before: maskSecrets(before),
        after: maskSecrets(after),
        createdAt: clock.now(),
      };
      return tx.recordAudit(entry, sealer);
    },
  };
}

interface AuditOrigin {
  readonly organizationId: string;
  readonly actor: AuditActor;
  readonly address: string | null;
  readonly requestId: string | null;
}

function originOf(by: CallContext | SystemActor | MemberActor): AuditOrigin {
  if ('principal' in by) {
    const { organizationId, memberId, keyId } = by.principal;
    const actor: AuditActor = { type: 'member', id: memberId, credentialId: keyId };
    return { organizationId, actor, address: by.address, requestId: by.requestId };
  }
  const { organizationId, request } = by;
  const { address = null, requestId = null } = request ?? {};
  const actor: AuditActor =
    'system' in by
      ? { type: 'system', id: by.system, credentialId: null }
      : { type: 'member', id: by.memberId, credentialId: by.credentialId };
  return { organizationId, actor, address, requestId };
}
