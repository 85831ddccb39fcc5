import type { CallContext } from '@probity/core';
import { ProbityError } from '@probity/core';
import type { Endpoint } from '@probity/core/koa';
import { endpoint } from '@probity/core/koa';
import type { ViolationCode } from '@probity/pipeline';
import { ScanCanceledError } from '@probity/pipeline';
import type { z } from 'zod';
import { scanRecordEndpoints } from './record-http.ts';
import type { Scans } from './scans.ts';
import { blockedScan, passedScan, scanRequest } from './schemas.ts';
import type { Scan, ScanOutcome, ScanRequest, ScanViolation } from './types.ts';

/** Largest body of a scan in bytes (contract, section 7). */
const SCAN_BODY_LIMIT = 10_485_760;

/** nginx's status for a client that closed the connection; seen in logs and metrics only. */
const CLIENT_GONE = 499;

const BLOCKED_MESSAGES: Readonly<Record<ViolationCode, string>> = {
  INJECTION_ATTEMPT_DETECTED: 'An injection attempt was detected, and a policy blocks it.',
  PII_DETECTED: 'Personal data was detected, and a policy blocks it.',
  POLICY_BLOCKED: 'A governance policy blocks this content.',
};

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
    summary: 'Scan a prompt and response',
    description:
      'Detects personal data, prompt injection and other problems, and applies the policies. ' +
      'Stores hashes and findings, but not prompts and responses.',
    tag: 'Governance',
    permission: 'scans:create',
    rateLimit,
    quota: 'gateway_scans',
    bodyLimit,
    body: scanRequest,
    responses,
    async handler({ context, body, reply }) {
      const outcome = await scan(scans, context, body);
      const { violation } = outcome.scan;
      return violation
        ? reply(403, toBlocked(outcome, violation, context))
        : reply(200, toPassed(outcome));
    },
  });
}

/** Declares the scan endpoints. */
export function scanEndpoints(scans: Scans): Endpoint[] {
  return [scanEndpoint(scans), ...scanRecordEndpoints(scans)];
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

function toPassed({
  scan,
  stages,
  redacted,
  redactionMap,
}: ScanOutcome): z.infer<typeof passedScan> {
  return {
    data: {
      id: scan.id,
      verdict: scan.verdict as 'allowed' | 'flagged',
      scores: scan.scores,
      stages: [...stages],
      ...findingsOf(scan),
      ...(redacted ? { redacted } : {}),
      ...(redactionMap ? { redactionMap } : {}),
      ...policiesOf(scan),
      durationMs: scan.durationMs,
      createdAt: scan.createdAt.toISOString(),
    },
  };
}

/** The policies that were applied, and what those that only monitor would have decided. */
function policiesOf({ policies, monitored }: Scan) {
  return {
    policyIds: policies.map(({ id }) => id),
    policies: [...policies],
    monitored: [...monitored],
  };
}

/** Includes `findingCount` only when not all findings are listed. */
function findingsOf({ findings, findingCount }: Scan) {
  const isTruncated = findingCount > findings.length;
  return { findings: [...findings], ...(isTruncated ? { findingCount } : {}) };
}

function toBlocked(
  { scan, stages }: ScanOutcome,
  { code, policyId, reason }: ScanViolation,
  { requestId }: CallContext,
): z.infer<typeof blockedScan> {
  return {
    error: { code, message: BLOCKED_MESSAGES[code], statusCode: 403, requestId },
    governance: {
      verdict: 'blocked',
      policy_id: policyId,
      policy_version: scan.policies.find(({ id }) => id === policyId)?.version ?? null,
      violation_reason: reason,
      scan_id: scan.id,
      scores: scan.scores,
      stages: [...stages],
      ...findingsOf(scan),
      policies: [...scan.policies],
      monitored: [...scan.monitored],
    },
  };
}
