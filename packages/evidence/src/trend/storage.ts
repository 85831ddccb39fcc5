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
  /**
   * The providers of these runs, with the sums of each label, in the order of their ids and then labels by UTF-8 bytes,
   * those without a label first.
   */
  listEvidenceProviders(
    organizationId: string,
    filter: RunFilter,
    page: Page,
  ): Promise<PageOf<ProviderTrend>>;
}
