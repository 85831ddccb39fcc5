import type { Metrics, ProbityError } from '@probity/core';
import type { BoundedRecordsOptions } from '../logging/bounded-records.ts';
import { createBoundedRecords } from '../logging/bounded-records.ts';
import type { AttemptError } from '../metrics/definitions.ts';
import { METRICS } from '../metrics/definitions.ts';
import type { ModelRoute } from './model-routes.ts';
import { nameOf } from './model-routes.ts';
import { faultOf } from './proxy-error.ts';

/** An attempt to call a model after which another one may be made. */
interface FailedAttempt {
  readonly route: ModelRoute;
  /** The model that was asked for. */
  readonly requested: ModelRoute;
  readonly error: ProbityError;
  readonly requestId: string;
}

/** Counts and logs failed attempts, which the success of a later one would hide. */
export interface FailedAttempts {
  record(attempt: FailedAttempt): void;
  /** Logs what has only been counted. */
  close(): void;
}

const OWN: ReadonlyMap<string, AttemptError> = new Map([
  ['upstream_refused', 'refused'],
  ['upstream_unreachable', 'unreachable'],
  ['provider_without_address', 'unreachable'],
  ['upstream_timeout', 'timeout'],
  ['model_rate_limit', 'model_rate_limit'],
]);

/** Creates the record of failed attempts. */
export function createFailedAttempts({
  metrics,
  ...options
}: Omit<BoundedRecordsOptions, 'rest'> & { readonly metrics: Metrics }): FailedAttempts {
  const records = createBoundedRecords({ ...options, rest: 'further attempts of calls failed' });
  return {
    record({ route, requested, error, requestId }) {
      const { providerId: provider } = route;
      const reason = errorOf(error);
      const model = nameOf(route);
      metrics.count(METRICS.failedAttempts, { provider, error: reason });
      records.write(
        'warn',
        'an attempt to call a model failed',
        { request_id: requestId, model, requested_model: nameOf(requested), error: reason },
        `${model} ${reason}`,
      );
    },
    close: records.close,
  };
}

function errorOf(error: ProbityError): AttemptError {
  const { code, isQuoted, status } = faultOf(error, error.status);
  const own = isQuoted ? undefined : OWN.get(code ?? '');
  if (own !== undefined) return own;
  if (status === 429) return 'rate_limit';
  return status < 500 ? 'client_error' : 'server_error';
}
