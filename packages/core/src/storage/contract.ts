import { auditPromises } from '../audit/contract.ts';
import { idempotencyPromises } from '../idempotency/contract.ts';
import { jobPromises } from '../jobs/contract.ts';
import { failedJobPromises } from '../jobs/failure-contract.ts';
import { fairnessPromises } from '../jobs/fairness-contract.ts';
import { groupPromises } from '../jobs/group-contract.ts';
import { leasePromises } from '../jobs/lease-contract.ts';
import { suspectPromises } from '../jobs/suspect-contract.ts';
import { retentionPromises } from '../retention/contract.ts';
import { scopedTokenPromises } from '../scoped-tokens/contract.ts';
import { tenantPromises } from '../tenants/contract.ts';
import { removalPromises } from '../tenants/removal-contract.ts';
import type { ContractTarget } from '../testing/contract-target.ts';
import { describeStorage } from '../testing/storage-contract.ts';
import { transactionPromises } from './transaction-contract.ts';

/**
 * The contract of {@link Database} as tests for `node:test`: transactions, tenants and their locks,
 * outbox, jobs, leases and failed jobs, audit log, idempotency records, tokens of limited
 * scope, retention. Every adapter
 * must pass it; races run over two connections when `openAnother` returns a second one.
 *
 * @example
 * describeDatabaseContract({ name: 'my database', open: () => openMyDatabase() });
 */
export function describeDatabaseContract(target: ContractTarget): void {
  describeStorage(target, transactionPromises);
  describeStorage(target, tenantPromises);
  describeStorage(target, jobPromises);
  describeStorage(target, fairnessPromises);
  describeStorage(target, groupPromises);
  describeStorage(target, leasePromises);
  describeStorage(target, failedJobPromises);
  describeStorage(target, suspectPromises);
  describeStorage(target, removalPromises);
  describeStorage(target, auditPromises);
  describeStorage(target, idempotencyPromises);
  describeStorage(target, scopedTokenPromises);
  describeStorage(target, retentionPromises);
}
