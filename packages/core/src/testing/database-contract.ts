import { describeAudit } from './audit-contract.ts';
import type { ContractTarget } from './contract-target.ts';
import { describeIdempotency } from './idempotency-contract.ts';
import { describeJobs } from './job-contract.ts';
import { describeLeases } from './lease-contract.ts';
import { describeOrganizations } from './organization-contract.ts';
import { describeRetention } from './retention-contract.ts';
import { describeTransactions } from './transaction-contract.ts';

/**
 * The contract of {@link Database} as node:test suites: transactions, organization locks, outbox,
 * jobs and leases, audit log, idempotency records, retention. Every adapter must pass it; races are
 * run over two connections where `openAnother` gives a second one.
 *
 * @example
 * describeDatabaseContract({ name: 'my database', open: () => openMyDatabase() });
 */
export function describeDatabaseContract(target: ContractTarget): void {
  describeTransactions(target);
  describeOrganizations(target);
  describeJobs(target);
  describeLeases(target);
  describeAudit(target);
  describeIdempotency(target);
  describeRetention(target);
}
