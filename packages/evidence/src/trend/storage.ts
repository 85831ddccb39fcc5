import type { Page, PageOf } from '@probity/core';
import type { ProviderTrend, RecordedRun, RunFilter } from './types.ts';

/** Reads of the runs that kept records sum up. Records that are appended or removed bring and take them. */
export interface RunReads {
  /** The organization's runs that match `filter`, newest first: by descending time, then by descending sequence. */
  listEvidenceRuns(
    organizationId: string,
    filter: RunFilter,
    page: Page,
  ): Promise<PageOf<RecordedRun>>;
  /** The providers of these runs, with the sums of each, in the order of their ids by UTF-8 bytes. */
  listEvidenceProviders(
    organizationId: string,
    filter: RunFilter,
    page: Page,
  ): Promise<PageOf<ProviderTrend>>;
}
