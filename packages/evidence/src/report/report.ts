import type { CallContext, Runtime } from '@probity/core';
import { notFound } from '@probity/core';
import type { EvidenceVerification, VerifyEvidence } from '../chain/verify.ts';
import type { Coverage, CoverageFilter, SystemCoverage } from '../coverage/coverage.ts';
import type { OrganizationName } from '../exports/exports.ts';
import { OBLIGATIONS } from '../obligations/catalogue.ts';
import type { Evidence } from '../records/types.ts';
import type { EvidenceStorage } from '../storage.ts';

/** Records that a report lists, the newest; it counts all of them. */
const MAX_RECORDS = 1_000;

/** AI systems of one report. */
const MAX_SYSTEMS = 200;

/** The evidence of an organization for people, such as auditors. */
export interface EvidenceReport {
  readonly organization: string;
  readonly filter: CoverageFilter;
  readonly createdAt: Date;
  readonly verification: EvidenceVerification;
  /** With their obligations, oldest first; the evidence about no AI system last. */
  readonly systems: readonly SystemCoverage[];
  /** AI systems that are not in the report, since it has the largest number. */
  readonly omittedSystems: number;
  /** Newest first. */
  readonly records: readonly Evidence[];
  /** Of all matching records. */
  readonly totalRecords: number;
}

/**
 * Makes the report on a framework and an AI system; all of them by default.
 * @throws ProbityError `not_found` when the organization has no such AI system
 */
export type CreateReport = (
  context: CallContext,
  filter: CoverageFilter,
) => Promise<EvidenceReport>;

/** Options of {@link createReports}. */
export interface ReportOptions {
  readonly storage: EvidenceStorage;
  readonly coverage: Coverage;
  readonly verify: VerifyEvidence;
  readonly organizationName?: OrganizationName | undefined;
}

/** Creates the service for reports. */
export function createReports(
  { clock }: Pick<Runtime, 'clock'>,
  { storage, coverage, verify, organizationName }: ReportOptions,
): CreateReport {
  return async (context, filter) => {
    const { organizationId } = context.principal;
    const { framework, aiSystemId } = filter;
    const page = { limit: MAX_SYSTEMS, offset: 0 };
    const { items: systems, total } = await coverage.list(context, filter, page);
    if (aiSystemId !== undefined && total === 0) throw notFound('AI system');
    const obligationIds =
      framework === undefined
        ? undefined
        : OBLIGATIONS.filter((each) => each.framework === framework).map(({ id }) => id);
    const found = await storage.listEvidence(
      organizationId,
      { aiSystemId, obligationIds },
      { limit: MAX_RECORDS, offset: 0 },
    );
    return {
      organization: (await organizationName?.(organizationId)) ?? organizationId,
      filter,
      createdAt: clock.now(),
      verification: await verify(context),
      systems,
      omittedSystems: total - systems.length,
      records: found.items,
      totalRecords: found.total,
    };
  };
}
