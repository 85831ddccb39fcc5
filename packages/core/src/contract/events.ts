/** Severity of an alert. */
export type Severity = 'low' | 'medium' | 'high' | 'critical';

/**
 * Every event that Probity emits, with its data as customers receive it (specification, "Events";
 * contract, section 5).
 */
export interface EventMap {
  /** A hallucination, personal data, or a policy violation without either was detected. */
  'alert.created': { alertId: string; severity: Severity; type: string; message: string };
  /** A person resolved an alert. */
  'alert.resolved': { alertId: string; resolution: string; resolvedBy: string };
  /** A correction of a claim was published. */
  'correction.deployed': { id: string; claim: string; correction: string; sourceUrl: string };
  /** Content was certified. */
  'certification.issued': {
    certificationId: string;
    contentHash: string;
    issuedAt: string;
    expiresAt: string | null;
  };
  /** A certificate was revoked. */
  'certification.revoked': { certificationId: string; reason: string };
  /** A policy acted on a scan. */
  'policy.violated': { policyId: string; violationReason: string; scanId: string; action: string };
  /** A batch of scans finished. */
  'scan.completed': {
    scanId: string;
    total: number;
    allowed: number;
    flagged: number;
    blocked: number;
    errors: number;
  };
}

/** Name of an event, `noun.verb-in-past`. */
export type EventType = keyof EventMap;

/** All event types, in the order of the specification. */
export const EVENT_TYPES = [
  'alert.created',
  'alert.resolved',
  'correction.deployed',
  'certification.issued',
  'certification.revoked',
  'policy.violated',
  'scan.completed',
] as const satisfies readonly EventType[];
