import type { CallContext } from '@probity/core';
import { ProbityError } from '@probity/core';
import type { Endpoint } from '@probity/core/koa';
import { endpoint } from '@probity/core/koa';
import { ScanCanceledError } from '@probity/pipeline';
import type { Batches } from '../batches/batches.ts';
import { batchEndpoints } from '../batches/http.ts';
import { faultsOfMessages } from './content.ts';
import { noteDigits, withDigits } from './number-digits.ts';
import { scanRecordEndpoints } from './record-http.ts';
import { scanRequest } from './request-schema.ts';
import type { Scans } from './scans.ts';
import { blockedScan, passedScan } from './schemas.ts';
import { scanStreamEndpoint } from './stream/http.ts';
import type { ScanOutcome, ScanRequest } from './types.ts';
import { toBlocked, toPassed } from './wire.ts';

/** Largest body of a scan in bytes (contract, section 7). */
const SCAN_BODY_LIMIT = 10_485_760;

/** nginx's status for a client that closed the connection; seen in logs and metrics only. */
const CLIENT_GONE = 499;

const responses = {
  200: { description: 'The content is allowed or flagged.', schema: passedScan },
  403: { description: 'A policy blocks the content.', schema: blockedScan },
} as const;

/** What a program that serves scans by other means decides about the endpoint. */
export interface ScanEndpointOptions {
  /** Largest body in bytes; default 10 MiB. */
  readonly bodyLimit?: number | undefined;
  /** Default `general`. */
  readonly rateLimit?: 'general' | 'none' | undefined;
}

/**
 * Declares `POST /governance/scan` over what scans: the schemas of request and response, and the mapping
 * of outcomes, are the same for the server and for the gateway.
 */
export function scanEndpoint(
  scans: Pick<Scans, 'scan'>,
  { bodyLimit = SCAN_BODY_LIMIT, rateLimit = 'general' }: ScanEndpointOptions = {},
): Endpoint {
  return endpoint({
    method: 'POST',
    path: '/governance/scan',
    operationId: 'scan',
    summary: 'Scan a prompt and response, or a conversation',
    description:
      'Detects personal data, prompt injection and other problems, and applies the policies. ' +
      'Stores hashes and findings, but not prompts and responses.',
    tag: 'Governance',
    permission: 'scans:create',
    rateLimit,
    quota: 'gateway_scans',
    bodyLimit,
    body: scanRequest,
    faultsOfBody: (body) => faultsOfMessages([body], ['']),
    noteBody: noteDigits,
    responses,
    async handler({ context, body, reply }) {
      const outcome = await scan(scans, context, body as ScanRequest);
      const { violation } = outcome.scan;
      if (violation) return reply(403, toBlocked(outcome, violation, context));
      const passed = toPassed(outcome);
      return reply(200, passed, await withDigits(passed, messagesOf(outcome)));
    },
  });
}

/** Declares the scan endpoints. */
export function scanEndpoints(scans: Scans, batches: Batches): Endpoint[] {
  return [
    scanEndpoint(scans),
    scanStreamEndpoint(scans),
    ...scanRecordEndpoints(scans, batches),
    ...batchEndpoints(batches),
  ];
}

function messagesOf({ redacted }: ScanOutcome): readonly object[] {
  return redacted && 'messages' in redacted ? redacted.messages : [];
}

async function scan(
  scans: Pick<Scans, 'scan'>,
  context: CallContext,
  request: ScanRequest,
): Promise<ScanOutcome> {
  try {
    return await scans.scan(context, request);
  } catch (cause) {
    if (!(cause instanceof ScanCanceledError)) throw cause;
    const message = 'The scan was canceled because the client disconnected.';
    throw new ProbityError('invalid_request', message, { status: CLIENT_GONE, cause });
  }
}
