import { describeAudit } from '../audit/contract.ts';
import { describeIdempotency } from '../idempotency/contract.ts';
import { describeJobs } from '../jobs/contract.ts';
import { describeFailedJobs } from '../jobs/failure-contract.ts';
import { describeLeases } from '../jobs/lease-contract.ts';
import { describeRetention } from '../retention/contract.ts';
import { describeTenants } from '../tenants/contract.ts';
import type { ContractTarget } from '../testing/contract-target.ts';
import { describeTransactions } from './transaction-contract.ts';

/**
 * The contract of {@link Database} as node:test suites: transactions, tenants and their locks,
 * outbox, jobs, leases and failed jobs, audit log, idempotency records, retention. Every adapter
 * must pass it; races run over two connections when `openAnother` returns a second one.
 *
 * @example
 * describeDatabaseContract({ name: 'my database', open: () => openMyDatabase() });
 */
export function describeDatabaseContract(target: ContractTarget): void {
  describeTransactions(target);
  describeTenants(target);
  describeJobs(target);
  describeLeases(target);
  describeFailedJobs(target);
  describeAudit(target);
  describeIdempotency(target);
  describeRetention(target);
}
