import type { Alert } from './alerts/types.ts';
import type { Scan } from './scans/types.ts';

const CREATED_AT = new Date('2026-01-01T00:00:00.000Z');

/** A scan record with every member set; `changes` override members. */
export function scanFixture(changes: Pick<Scan, 'id' | 'organizationId'> & Partial<Scan>): Scan {
  return {
    memberId: 'mem_test',
    keyId: 'key_test',
    verdict: 'blocked',
    scores: { pii: 0.95, injection: 0, toxicity: null, hallucination: null },
    findings: [
      {
        stage: 'pii_scanner',
        type: 'ssn',
        score: 0.98,
        field: 'context',
        contextIndex: 1,
        start: 3,
        end: 14,
        action: 'block',
      },
    ],
    findingCount: 1,
    policyIds: ['pol_builtin'],
    violation: { policyId: 'pol_builtin', code: 'PII_DETECTED', reason: 'pii_scanner found ssn' },
    metadata: { team: 'Zürich 🏔', attempt: 2, isRetry: false },
    promptHash: 'a'.repeat(64),
    responseHash: 'b'.repeat(64),
    contextHash: 'c'.repeat(64),
    durationMs: 1.234,
    createdAt: CREATED_AT,
    ...changes,
  };
}

/** An open alert; `changes` override members. */
export function alertFixture(
  changes: Pick<Alert, 'id' | 'organizationId'> & Partial<Alert>,
): Alert {
  return {
    type: 'pii',
    severity: 'low',
    status: 'open',
    message: 'Personal data (email) in response; the scan was flagged.',
    scanId: 'scn_test',
    createdAt: CREATED_AT,
    resolvedAt: null,
    resolution: null,
    ...changes,
  };
}
