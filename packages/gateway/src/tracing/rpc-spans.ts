import type { Metadata } from '@grpc/grpc-js';
import type { TraceSpan, Tracing } from './tracing.ts';

/** Statuses of gRPC that are failures of the server. */
const FAILURES = new Set([
  ...['UNKNOWN', 'DEADLINE_EXCEEDED', 'UNIMPLEMENTED', 'INTERNAL', 'UNAVAILABLE', 'DATA_LOSS'],
]);

/**
 * Begins the span of a call, or of one scan of a stream.
 *
 * @param method with its service: `governance.gateway.v1.ScanService/Scan`
 * @param hash names the configuration
 */
export function startRpc(
  tracing: Tracing | null,
  metadata: Metadata,
  method: string,
  hash: string,
): TraceSpan | undefined {
  return tracing?.start(method, (name) => metadata.get(name)[0]?.toString(), {
    'rpc.system.name': 'grpc',
    'rpc.method': method,
    'probity.config_hash': hash,
  });
}

/** @param status its name: `OK` */
export function endRpc(span: TraceSpan | undefined, status: string): void {
  if (span?.isRecorded) {
    span.set({ 'rpc.response.status_code': status });
    if (FAILURES.has(status)) span.fail(status);
  }
  span?.end();
}
