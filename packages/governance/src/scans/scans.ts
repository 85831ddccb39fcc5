import type { CallContext, Page, PageOf } from '@probity/core';
import { notFound } from '@probity/core';
import { requireContext, requireKnownOptions } from '@probity/core/internal';
import type { GovernanceStorage } from '../storage.ts';
import type { PrepareScan } from './prepare.ts';
import type { Scan, ScanFilter, ScanOutcome, ScanRequest } from './types.ts';

/** Scans content by the organization's policies. */
export interface Scans {
  /**
   * Scans the response of a model, decides by policy and stores the outcome with its alert and
   * events, in one transaction. A blocked scan is an outcome, not an error. The context's signal
   * cancels the scan; nothing is stored then.
   *
   * @throws TypeError for a text that is not a string, and for an unknown member of `request`
   * @throws ProbityError `validation_failed` when `policyIds` is empty or names an unknown policy
   * @throws ScanCanceledError when the context's signal aborts
   */
  scan(context: CallContext, request: ScanRequest): Promise<ScanOutcome>;
  /**
   * The stored records of scans, newest first.
   */
  list(context: CallContext, filter: ScanFilter, page: Page): Promise<PageOf<Scan>>;
  /**
   * The stored record of a scan.
   * @throws ProbityError `not_found` when the organization has no such scan, or no longer has it
   */
  get(context: CallContext, id: string): Promise<Scan>;
}

/** Dependencies of the service. */
export interface ScanServiceOptions {
  readonly storage: GovernanceStorage;
  readonly prepare: PrepareScan;
}

const REQUEST_MEMBERS = [
  'prompt',
  'response',
  'context',
  'policyIds',
  'metadata',
  'aiSystemId',
  'redaction',
];

/** Creates the scan service. */
export function createScans({ storage, prepare }: ScanServiceOptions): Scans {
  return {
    async scan(context, request) {
      requireContext('scan', context);
      requireKnownOptions('scan', request, REQUEST_MEMBERS);
      const prepared = await prepare(context, request);
      await prepared.store(context);
      return prepared.outcome;
    },

    list: ({ principal }, filter, page) =>
      storage.listScans(principal.organizationId, filter, page),

    async get({ principal }, id) {
      const scan = await storage.findScan(principal.organizationId, id);
      if (!scan) throw notFound('scan');
      return scan;
    },
  };
}
