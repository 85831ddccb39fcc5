import type { Page, PageOf } from '@probity/core';
import type { Correction, CorrectionFilter } from './types.ts';

/** Reads of corrections. */
export interface CorrectionReads {
  /** The organization's corrections that match the filter, newest first, ties by descending id. */
  listCorrections(
    organizationId: string,
    filter: CorrectionFilter,
    page: Page,
  ): Promise<PageOf<Correction>>;
  /** Null when the organization has no such correction. */
  findCorrection(organizationId: string, id: string): Promise<Correction | null>;
}

/** Writes of corrections; they are never changed, and are deleted with their organization. */
export interface CorrectionWrites {
  insertCorrection(correction: Correction): Promise<void>;
}
