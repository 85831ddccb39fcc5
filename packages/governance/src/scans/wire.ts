import type { CallContext } from '@probity/core';
import type { ViolationCode } from '@probity/pipeline';
import type { z } from 'zod';
import type { blockedScan, passedScan } from './schemas.ts';
import type { RedactedContent, Scan, ScanOutcome, ScanViolation } from './types.ts';

const BLOCKED_MESSAGES: Readonly<Record<ViolationCode, string>> = {
  INJECTION_ATTEMPT_DETECTED: 'An injection attempt was detected, and a policy blocks it.',
  PII_DETECTED: 'Personal data was detected, and a policy blocks it.',
  POLICY_BLOCKED: 'A governance policy blocks this content.',
};

/** The answer to a scan that is not blocked. */
export function toPassed({
  scan,
  stages,
  skipped,
  redacted,
  redactionMap,
}: ScanOutcome): z.infer<typeof passedScan> {
  const { policies } = scan;
  return {
    data: {
      id: scan.id,
      verdict: scan.verdict as 'allowed' | 'flagged',
      scores: scan.scores,
      stages: [...stages],
      findings: [...scan.findings],
      findingCount: findingCountOf(scan),
      redacted: redacted ? toRedacted(redacted) : undefined,
      skipped: skippedOf(skipped),
      redactionMap: redactionMap ?? undefined,
      policyIds: policies.map(({ id }) => id),
      policies: [...policies],
      monitored: [...scan.monitored],
      durationMs: scan.durationMs,
      createdAt: scan.createdAt.toISOString(),
    },
  };
}

function toRedacted(redacted: RedactedContent) {
  return 'messages' in redacted ? { messages: [...redacted.messages] } : redacted;
}

function skippedOf(skipped: ScanOutcome['skipped']) {
  return skipped.length > 0 ? [...skipped] : undefined;
}

/** Present only when not all findings are listed. */
function findingCountOf({ findings, findingCount }: Scan) {
  return findingCount > findings.length ? findingCount : undefined;
}

/** The answer to a blocked scan. */
export function toBlocked(
  { scan, stages, skipped }: ScanOutcome,
  { code, policyId, reason }: ScanViolation,
  { requestId }: Pick<CallContext, 'requestId'>,
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
      findings: [...scan.findings],
      findingCount: findingCountOf(scan),
      skipped: skippedOf(skipped),
      policies: [...scan.policies],
      monitored: [...scan.monitored],
    },
  };
}
