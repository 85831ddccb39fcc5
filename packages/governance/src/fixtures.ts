import type { Alert, AlertAction } from './alerts/types.ts';
import type { BatchItem, ScanBatch } from './batches/types.ts';
import type { Certificate } from './certificates/types.ts';
import type { PolicyContent, PolicyVersion, StoredPolicy } from './policies/types.ts';
import type { StoredProtectedText } from './protected-texts/types.ts';
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
    policies: [
      { id: 'pol_builtin', version: 2, mode: 'enforce' },
      { id: 'pol_trial', version: 1, mode: 'monitor' },
    ],
    monitored: [
      {
        ...{ policyId: 'pol_trial', version: 1, verdict: 'blocked' },
        ...{ reason: 'pii_scanner found ssn', code: 'PII_DETECTED' },
      },
    ],
    namedPolicyIds: ['pol_builtin', 'pol_trial'],
    facts: {
      cut: [['pii_scanner', 'email', 0.5]],
      omitted: [['pii_scanner', 'ssn', 0.98, 12]],
      unfinished: [['toxicity_scanner', 'timeout']],
      failedClosed: ['toxicity_scanner'],
    },
    violation: { policyId: 'pol_builtin', code: 'PII_DETECTED', reason: 'pii_scanner found ssn' },
    metadata: { team: 'Zürich 🏔', attempt: 2, isRetry: false },
    aiSystemId: '01890a5d-ac96-774b-bcce-b302099a8057',
    promptHash: 'a'.repeat(64),
    responseHash: 'b'.repeat(64),
    contextHash: 'c'.repeat(64),
    messagesHash: null,
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
    aiSystemId: null,
    createdAt: CREATED_AT,
    acknowledgedAt: null,
    acknowledgedBy: null,
    assigneeId: null,
    resolvedAt: null,
    resolvedBy: null,
    resolution: null,
    ...changes,
  };
}

/** A comment; `changes` override members. */
export function alertActionFixture(
  changes: Pick<AlertAction, 'id' | 'organizationId' | 'alertId'> & Partial<AlertAction>,
): AlertAction {
  return {
    ...{ action: 'commented', memberId: 'mem_test', text: 'Asked the team.\nThey know.' },
    ...{ assigneeId: null, createdAt: CREATED_AT },
    ...changes,
  };
}

const CONTENT: PolicyContent = {
  name: 'Contacts „ä"',
  description: 'Replaces addresses\nof customers.',
  enabled: true,
  mode: 'monitor',
  isDefault: false,
  keyIds: ['key_chat', 'key_search'],
  rules: [
    { stage: 'pii_scanner', types: ['email'], threshold: 0.25, action: 'redact' },
    { stage: 'injection_scanner', action: 'block' },
  ],
};

/** A policy with every member set; `changes` override members. */
export function policyFixture(
  changes: Pick<StoredPolicy, 'id' | 'organizationId'> & Partial<StoredPolicy>,
): StoredPolicy {
  return { ...CONTENT, version: 3, createdAt: CREATED_AT, updatedAt: CREATED_AT, ...changes };
}

/** A version of a policy; `changes` override members. */
export function policyVersionFixture(
  changes: Pick<PolicyVersion, 'policyId' | 'organizationId'> & Partial<PolicyVersion>,
): PolicyVersion {
  return { ...CONTENT, version: 1, memberId: 'mem_test', createdAt: CREATED_AT, ...changes };
}

/** A valid certificate with every member set; `changes` override members. */
export function certificateFixture(
  changes: Pick<Certificate, 'id' | 'organizationId'> & Partial<Certificate>,
): Certificate {
  return {
    memberId: 'mem_test',
    contentHash: 'a'.repeat(64),
    keyId: 'kid_test',
    jws: 'header.payload.signature',
    nuggets: [
      { id: 'nug_1', version: 7 },
      { id: 'nug_2', version: 12 },
    ],
    issuedAt: CREATED_AT,
    expiresAt: new Date('2027-01-01T00:00:00.000Z'),
    revocation: null,
    ...changes,
  };
}

/** A batch of three items that is running; `changes` override members. */
export function batchFixture(
  changes: Pick<ScanBatch, 'id' | 'organizationId'> & Partial<ScanBatch>,
): ScanBatch {
  return {
    ...{ memberId: 'mem_test', keyId: 'key_test', requestId: 'req_test' },
    status: 'running',
    ...{ total: 3, allowed: 0, flagged: 0, blocked: 0, errors: 0, canceled: 0 },
    ...{ createdAt: CREATED_AT, endedAt: null },
    ...changes,
  };
}

/** An item that waits; `changes` override members. */
export function batchItemFixture(
  changes: Pick<BatchItem, 'id' | 'organizationId' | 'batchId' | 'index'> & Partial<BatchItem>,
): BatchItem {
  return { status: 'pending', scanId: null, verdict: null, error: null, ...changes };
}
/** A protected text with every member set; `changes` override members. */
export function protectedTextFixture(
  changes: Pick<StoredProtectedText, 'id' | 'organizationId'> & Partial<StoredProtectedText>,
): StoredProtectedText {
  return {
    ...{ name: 'Price list „ä"', kind: 'canary', length: 12, hash: 'e'.repeat(64) },
    sealedText: `sealed ${changes.id}`,
    ...{ createdAt: CREATED_AT, updatedAt: CREATED_AT },
    ...changes,
  };
}
