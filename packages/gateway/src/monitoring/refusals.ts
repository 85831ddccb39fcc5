import type { Metrics, Principal, ProbityError } from '@probity/core';
import type { BoundedRecordsOptions } from '../logging/bounded-records.ts';
import { createBoundedRecords } from '../logging/bounded-records.ts';
import type { RefusalReason } from '../metrics/definitions.ts';
import { METRICS } from '../metrics/definitions.ts';
import { faultOf } from '../proxy/proxy-error.ts';

/** A request that was answered with an error. */
interface FailedRequest {
  readonly error: ProbityError;
  readonly requestId?: string | undefined;
  /** Null while the caller is not known. */
  readonly principal: Principal | null;
  /** Id of the operation, where it is known. */
  readonly operation?: string | undefined;
}

/** Counts and logs requests that are refused before anything is scanned. */
export interface Refusals {
  /** Takes any failure; those that are no refusals are recorded elsewhere. */
  record(failed: FailedRequest): void;
  /** Logs what has only been counted. */
  close(): void;
}

const REASONS: ReadonlyMap<string, RefusalReason> = new Map([
  ['invalid_api_key', 'credential'],
  ['insufficient_permissions', 'permission'],
  ['rate_limit_exceeded', 'rate_limit'],
  ['model_rate_limit', 'model_rate_limit'],
  ['token_budget_exceeded', 'token_budget'],
  ['model_not_found', 'unknown_model'],
  ['unavailable', 'unavailable'],
]);

/** Creates the record of refusals. */
export function createRefusals({
  metrics,
  ...options
}: Omit<BoundedRecordsOptions, 'rest'> & { readonly metrics: Metrics }): Refusals {
  const records = createBoundedRecords({ ...options, rest: 'further requests were refused' });
  return {
    record({ error, requestId, principal, operation }) {
      const reason = reasonOf(error);
      if (reason === undefined) return;
      metrics.count(METRICS.refusals, { reason });
      // The record of the call says so.
      if (reason === 'model_rate_limit') return;
      const fields = {
        ...(requestId !== undefined && { request_id: requestId }),
        ...(principal && { client_id: principal.keyId }),
        result: 'refused',
        error: reason,
        status: error.status,
        ...(operation !== undefined && { operation }),
      };
      const level = reason === 'unavailable' ? 'warn' : 'info';
      records.write(level, 'a request was refused', fields, reason);
    },
    close: records.close,
  };
}

/** Why a request was refused; undefined where something else has failed, or a provider has said so. */
function reasonOf(error: ProbityError): RefusalReason | undefined {
  const { code, isQuoted } = faultOf(error, error.status);
  const reason = isQuoted ? undefined : REASONS.get(code ?? '');
  // What takes too long has the same kind, and a record of its own.
  return reason === 'unavailable' && error.status !== 503 ? undefined : reason;
}
