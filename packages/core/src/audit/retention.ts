import type { SecretBox } from '../crypto/secret-box.ts';
import type { Logger } from '../logging/logger.ts';
import type { RetentionRule } from '../retention/retention.ts';
import { createTrimmer } from '../retention/trimmer.ts';
import type { Database } from '../storage/database.ts';
import { findAuditFault } from './chain.ts';
import { createAuditSealer } from './seal.ts';
import type { AuditEntry } from './types.ts';

/** Dependencies of audit log retention. */
export interface AuditTrimmerDependencies {
  readonly database: Database;
  readonly logger: Logger;
  /** Seals the checkpoints; a log that is sealed is left unchanged without it. */
  readonly secretBox?: SecretBox | undefined;
}

/**
 * Removes the oldest entries of audit logs, each up to the first entry that is not yet old, and
 * leaves a checkpoint from which the rest is verified. Entries are verified before removal: a log
 * that is broken there is left unchanged, so that the fault can still be located. A batch continues
 * after the last log of the one before, so a run reads each log's oldest entry once.
 */
export function createAuditTrimmer(
  dependencies: AuditTrimmerDependencies,
): RetentionRule['deleteBatch'] {
  const { database } = dependencies;
  const reads = database.kernel(database.reader);
  return createTrimmer({
    list: (after, limit) => reads.listAudits(after, limit),
    trim: async ({ organizationId, oldestAt }, before, limit) =>
      oldestAt && oldestAt < before ? trim(dependencies, organizationId, before, limit) : 0,
  });
}

/** Returns the number of entries removed; 0 when the log is broken. */
async function trim(
  { database, logger, secretBox }: AuditTrimmerDependencies,
  organizationId: string,
  before: Date,
  limit: number,
): Promise<number> {
  return database.transaction(async (session) => {
    // Keeps a run that is behind from replacing a newer checkpoint with an older one.
    if (!(await database.lockTenant(session, organizationId))) return 0;
    const tx = database.kernel(session);
    const checkpoint = await tx.findAuditCheckpoint(organizationId);
    const chain = await tx.readAuditChain(organizationId, checkpoint?.sequence ?? 0, limit);
    const old = beginningOf(chain, before);
    const last = old.at(-1);
    if (!last) return 0;
    const fault = findAuditFault(old, checkpoint);
    if (fault) {
      const where = { organization_id: organizationId, sequence: fault.sequence };
      logger.error('an audit log is broken; retention leaves it as it is', where);
      return 0;
    }
    const head = await tx.findAuditHead(organizationId);
    const sealer = secretBox && createAuditSealer(secretBox);
    if (head?.seal && !sealer?.isValid(organizationId, head, checkpoint)) {
      const reason = sealer ? 'the seal of an audit log is invalid' : 'an audit log is sealed';
      const where = { organization_id: organizationId, sequence: head.sequence };
      logger.error(`${reason}; retention leaves it as it is`, where);
      return 0;
    }
    const mac = head && sealer ? sealer.sealCheckpoint(organizationId, head, last) : null;
    await tx.trimAudit(organizationId, { ...last, mac });
    return old.length;
  });
}

function beginningOf(chain: readonly AuditEntry[], before: Date): readonly AuditEntry[] {
  const end = chain.findIndex(({ createdAt }) => createdAt >= before);
  return end === -1 ? chain : chain.slice(0, end);
}
