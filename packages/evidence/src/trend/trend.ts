import type { CallContext, Page, PageOf } from '@probity/core';
import type { EvidenceStorage } from '../storage.ts';
import type { ProviderTrend, RecordedRun, RunFilter } from './types.ts';

/** How the evaluations of the caller's organization went over time. */
export interface EvidenceTrend {
  /** The runs that match `filter`, newest first. */
  runs(context: CallContext, filter: RunFilter, page: Page): Promise<PageOf<RecordedRun>>;
  /** Their providers, by id and label. */
  providers(context: CallContext, filter: RunFilter, page: Page): Promise<PageOf<ProviderTrend>>;
}

/** Creates the service for trends. */
export function createEvidenceTrend({
  storage,
}: {
  readonly storage: EvidenceStorage;
}): EvidenceTrend {
  return {
    runs: ({ principal }, filter, page) =>
      storage.listEvidenceRuns(principal.organizationId, filter, page),
    providers: ({ principal }, filter, page) =>
      storage.listEvidenceProviders(principal.organizationId, filter, page),
  };
}
