// Generated from the OpenAPI document by scripts/client.mjs.

export interface AgentgatewayPromptAnswer {
  readonly action:
    | {
        readonly body: {
          readonly messages: readonly ({
            readonly role: string;
            readonly content: string;
          } & Readonly<Record<string, unknown>>)[];
        } & Readonly<Record<string, unknown>>;
        readonly reason?: string | undefined;
      }
    | {
        readonly body: string;
        readonly status_code: number;
        readonly reason?: string | undefined;
      }
    | {
        readonly reason?: string | undefined;
      };
}

export type AgentgatewayPromptRequest = {
  readonly body: {
    readonly messages: readonly ({
      readonly role: string;
      readonly content: string;
    } & Readonly<Record<string, unknown>>)[];
  } & Readonly<Record<string, unknown>>;
} & Readonly<Record<string, unknown>>;

export interface AgentgatewayResponseAnswer {
  readonly action:
    | {
        readonly body: {
          readonly choices: readonly ({
            readonly message: {
              readonly role: string;
              readonly content: string;
            } & Readonly<Record<string, unknown>>;
          } & Readonly<Record<string, unknown>>)[];
        } & Readonly<Record<string, unknown>>;
        readonly reason?: string | undefined;
      }
    | {
        readonly body: string;
        readonly status_code: number;
        readonly reason?: string | undefined;
      }
    | {
        readonly reason?: string | undefined;
      };
}

export type AgentgatewayResponseRequest = {
  readonly body: {
    readonly choices: readonly ({
      readonly message: {
        readonly role: string;
        readonly content: string;
      } & Readonly<Record<string, unknown>>;
    } & Readonly<Record<string, unknown>>)[];
  } & Readonly<Record<string, unknown>>;
} & Readonly<Record<string, unknown>>;

export interface AiSystem {
  /** UUID. */
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  /**
   * As the organization classifies it under Regulation (EU) 2024/1689: `prohibited` (Article 5),
   * `high` (Article 6), `limited` (Article 50), `minimal`, `gpai` (a general-purpose model),
   * `gpai_systemic` (one with systemic risk); null while it is not classified.
   */
  readonly riskClass:
    | 'prohibited'
    | 'high'
    | 'limited'
    | 'minimal'
    | 'gpai'
    | 'gpai_systemic'
    | null;
  readonly owner: string | null;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** ISO 8601, UTC. */
  readonly updatedAt: string;
}

export interface AiSystemChanges {
  /** At most 200 characters. */
  readonly name?: string | undefined;
  /** At most 5000 characters. */
  readonly description?: string | null | undefined;
  /**
   * As the organization classifies it under Regulation (EU) 2024/1689: `prohibited` (Article 5),
   * `high` (Article 6), `limited` (Article 50), `minimal`, `gpai` (a general-purpose model),
   * `gpai_systemic` (one with systemic risk); null while it is not classified.
   */
  readonly riskClass?:
    | 'prohibited'
    | 'high'
    | 'limited'
    | 'minimal'
    | 'gpai'
    | 'gpai_systemic'
    | null
    | undefined;
  /**
   * Who is responsible for it, in the organization's own words; null for nobody named. At most 200
   * characters.
   */
  readonly owner?: string | null | undefined;
}

export interface Alert {
  readonly id: string;
  readonly type: 'pii' | 'hallucination' | 'injection' | 'toxicity' | 'policy';
  readonly severity: 'low' | 'medium' | 'high' | 'critical';
  readonly status: 'open' | 'resolved';
  readonly message: string;
  readonly scanId: string;
  /** The AI system that the scan named. */
  readonly aiSystemId: string | null;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** ISO 8601, UTC. */
  readonly acknowledgedAt: string | null;
  /** The member who acknowledged it first. */
  readonly acknowledgedBy: string | null;
  /** The member to whom it is assigned. */
  readonly assigneeId: string | null;
  /** ISO 8601, UTC. */
  readonly resolvedAt: string | null;
  /** The member who resolved it. */
  readonly resolvedBy: string | null;
  readonly resolution: string | null;
}

export interface AlertAcknowledgments {
  /** The ids of 1 to 500 alerts; one that is given twice counts once. At most 500. */
  readonly ids: readonly string[];
}

export interface AlertAction {
  readonly id: string;
  readonly action: 'acknowledged' | 'assigned' | 'unassigned' | 'commented' | 'resolved';
  /** The member who did it. */
  readonly memberId: string;
  /** The comment or the resolution. */
  readonly text: string | null;
  /** The member to whom the alert was assigned. */
  readonly assigneeId: string | null;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
}

export interface AlertAssignment {
  /** An active member of the organization; null assigns the alert to nobody. At most 200 characters. */
  readonly memberId: string | null;
}

export interface AlertAssignments {
  /** An active member of the organization; null assigns the alert to nobody. At most 200 characters. */
  readonly memberId: string | null;
  /** The ids of 1 to 500 alerts; one that is given twice counts once. At most 500. */
  readonly ids: readonly string[];
}

export interface AlertChanges {
  /** Those that were changed. */
  readonly changed: readonly string[];
  /** Open ones that already were as asked for. */
  readonly unchanged: readonly string[];
  /** Those that were resolved before. */
  readonly alreadyResolved: readonly string[];
  /** Those that the organization does not have. */
  readonly unknown: readonly string[];
}

export interface AlertComment {
  readonly id: string;
  readonly memberId: string;
  readonly text: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
}

export interface AlertCount {
  readonly type: 'pii' | 'hallucination' | 'injection' | 'toxicity' | 'policy';
  /** The beginning of the hour (UTC). ISO 8601, UTC. */
  readonly hour: string;
  readonly count: number;
}

export interface AlertCreatedEvent {
  readonly id: string;
  readonly type: 'alert.created';
  /** ISO 8601, UTC. */
  readonly timestamp: string;
  readonly data: {
    readonly alertId: string;
    readonly severity: 'low' | 'medium' | 'high' | 'critical';
    readonly type: string;
    readonly message: string;
  };
}

export interface AlertResolution {
  /** At most 2000 characters. */
  readonly resolution: string;
}

export interface AlertResolutions {
  /** At most 2000 characters. */
  readonly resolution: string;
  /** The ids of 1 to 500 alerts; one that is given twice counts once. At most 500. */
  readonly ids: readonly string[];
}

export interface AlertResolvedEvent {
  readonly id: string;
  readonly type: 'alert.resolved';
  /** ISO 8601, UTC. */
  readonly timestamp: string;
  readonly data: {
    readonly alertId: string;
    readonly resolution: string;
    readonly resolvedBy: string;
  };
}

export interface AlertRouting {
  /** Alerts of these severities are sent; repeated ones count once. */
  readonly severities: readonly ('low' | 'medium' | 'high' | 'critical')[];
  /** Of incidents: the category; for `itsm`. At most 40 characters. */
  readonly category?: string | undefined;
  /** Of incidents: the subcategory; for `itsm`. At most 40 characters. */
  readonly subcategory?: string | undefined;
  /** The team of the channel; for `chatops`. At most 256 characters. */
  readonly team_id?: string | undefined;
  /** The channel that messages are posted in; for `chatops`. At most 256 characters. */
  readonly channel_id?: string | undefined;
  /** A chat in place of a channel; for `chatops`. At most 256 characters. */
  readonly chat_id?: string | undefined;
}

export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly role: 'owner' | 'admin' | 'editor' | 'member' | 'viewer';
  /** The member whom the key belongs to. */
  readonly member_id: string;
  /** The role now: at most the member's. Null while the member is not active. */
  readonly effective_role: 'owner' | 'admin' | 'editor' | 'member' | 'viewer' | null;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  /** ISO 8601, UTC. */
  readonly last_used: string | null;
  /** ISO 8601, UTC. */
  readonly expires_at: string | null;
}

export interface AppliedPolicy {
  readonly id: string;
  readonly version: number;
  readonly mode: 'enforce' | 'monitor';
}

export interface AttemptSummary {
  /** The beginning of the period. ISO 8601, UTC. */
  readonly since: string;
  readonly attempts: number;
  readonly succeeded: number;
  /** Null without attempts. */
  readonly successRate: number | null;
  /** The median, as an estimate; null without attempts. */
  readonly p50DurationMs: number | null;
  /** The 95th percentile, as an estimate. */
  readonly p95DurationMs: number | null;
}

export interface AuditEntry {
  readonly id: string;
  readonly sequence: number;
  readonly action: string;
  readonly actor: {
    readonly type: 'member' | 'system';
    readonly id: string;
    readonly credential_id: string | null;
  };
  readonly target: {
    readonly type: string;
    readonly id: string;
  };
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
  readonly address: string | null;
  readonly request_id: string | null;
  readonly previous_hash: string;
  readonly hash: string;
  /** ISO 8601, UTC. */
  readonly created_at: string;
}

/** A policy blocks the content. The member `governance` distinguishes this response from errors. */
export interface BlockedScan {
  readonly error: {
    readonly code: 'INJECTION_ATTEMPT_DETECTED' | 'PII_DETECTED' | 'POLICY_BLOCKED';
    readonly message: string;
    readonly statusCode: 403;
    readonly requestId: string;
  };
  readonly governance: {
    readonly verdict: 'blocked';
    readonly policy_id: string;
    /** Null where a stage that fails closed blocks without a policy. */
    readonly policy_version: number | null;
    readonly violation_reason: string;
    readonly scan_id: string;
    readonly scores: Scores;
    /**
     * Result of each stage. not_covered: the stage cannot judge these texts, for example because of
     * their language; one with another status than ok has not examined all of the text.
     */
    readonly stages: readonly StageResult[];
    /** At most 1000 findings; the most severe ones when there are more. */
    readonly findings: readonly Finding[];
    /** Number of all findings; present only when not all are listed. */
    readonly findingCount?: number | undefined;
    /**
     * Parts of messages without a text that could be scanned, such as images; at most 1,000, absent
     * without any.
     */
    readonly skipped?: readonly SkippedPart[] | undefined;
    /** The policies that were applied, in the versions that judged the scan. */
    readonly policies: readonly AppliedPolicy[];
    /**
     * What policies in the mode `monitor` would have decided: the verdict, and why they would have
     * blocked or redacted.
     */
    readonly monitored: readonly MonitoredDecision[];
  };
}

export interface Caller {
  readonly organizationId: string;
  /** The member whose credential it is. */
  readonly memberId: string;
  /** `session`: a person signed in; `key`: an API key, or a credential of the host. */
  readonly credential: 'key' | 'session';
  /** Null for a caller to whom an application gave permissions instead of a role. */
  readonly role: 'owner' | 'admin' | 'editor' | 'member' | 'viewer' | null;
  /** The plan of the organization. */
  readonly plan: 'free' | 'starter' | 'professional' | 'enterprise';
  /** All that the caller may do. */
  readonly permissions: readonly string[];
}

export interface Certificate {
  readonly id: string;
  /** `revoked` also where it has expired since. Only `valid` stands for the content. */
  readonly state: 'valid' | 'expired' | 'revoked';
  readonly organizationId: string;
  /** Hash of the UTF-8 of the content, in lower-case hex. */
  readonly contentHash: string;
  /** The algorithm of the hash. */
  readonly algorithm: 'sha-256';
  /** ISO 8601, UTC. */
  readonly issuedAt: string;
  /** ISO 8601, UTC. */
  readonly expiresAt: string;
  /** ISO 8601, UTC. */
  readonly revokedAt: string | null;
  /** `kid` of the signing key in `/.well-known/jwks.json`. */
  readonly keyId: string;
  /** The signed certificate: a JWS in compact form, signed with Ed25519 (`EdDSA`). */
  readonly jws: string;
  readonly revocationReason: string | null;
  /** The nuggets that support the claims, each in the version that did. */
  readonly nuggets: readonly CertificateNugget[];
  /** Where everyone finds the certificate as JSON. */
  readonly url: string;
  /** Where everyone finds a page that checks texts against it. */
  readonly pageUrl: string;
}

export interface CertificateDetail {
  readonly id: string;
  /** `revoked` also where it has expired since. Only `valid` stands for the content. */
  readonly state: 'valid' | 'expired' | 'revoked';
  readonly organizationId: string;
  /** Hash of the UTF-8 of the content, in lower-case hex. */
  readonly contentHash: string;
  /** The algorithm of the hash. */
  readonly algorithm: 'sha-256';
  /** ISO 8601, UTC. */
  readonly issuedAt: string;
  /** ISO 8601, UTC. */
  readonly expiresAt: string;
  /** ISO 8601, UTC. */
  readonly revokedAt: string | null;
  /** `kid` of the signing key in `/.well-known/jwks.json`. */
  readonly keyId: string;
  /** The signed certificate: a JWS in compact form, signed with Ed25519 (`EdDSA`). */
  readonly jws: string;
  readonly revocationReason: string | null;
  /** The nuggets that support the claims, each in the version that did. */
  readonly nuggets: readonly CertificateSupport[];
  /** Where everyone finds the certificate as JSON. */
  readonly url: string;
  /** Where everyone finds a page that checks texts against it. */
  readonly pageUrl: string;
}

export interface CertificateNugget {
  readonly id: string;
  readonly version: number;
}

export interface CertificateRefusal {
  readonly reason: 'not_verified' | 'unread_text' | 'free_wording';
  readonly message: string;
  /** Places of the claims at fault, from 0. */
  readonly claims: readonly number[];
}

export interface CertificateRevocation {
  /**
   * For the organization and its webhooks; the public answers do not have it. At most 500
   * characters.
   */
  readonly reason: string;
}

export interface CertificateSupport {
  readonly id: string;
  readonly version: number;
  /** Whether the knowledge base still has the nugget in this version. */
  readonly state: 'current' | 'changed' | 'deleted';
}

export interface CertificationIssuedEvent {
  readonly id: string;
  readonly type: 'certification.issued';
  /** ISO 8601, UTC. */
  readonly timestamp: string;
  readonly data: {
    readonly certificationId: string;
    readonly contentHash: string;
    /** ISO 8601, UTC. */
    readonly issuedAt: string;
    /** ISO 8601, UTC. */
    readonly expiresAt: string | null;
  };
}

export interface CertificationRevokedEvent {
  readonly id: string;
  readonly type: 'certification.revoked';
  /** ISO 8601, UTC. */
  readonly timestamp: string;
  readonly data: {
    readonly certificationId: string;
    readonly reason: string;
  };
}

export interface ChangedScan {
  readonly scanId: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly before: 'allowed' | 'flagged' | 'blocked';
  readonly after: 'allowed' | 'flagged' | 'blocked';
  /** Why it would be blocked. */
  readonly reason: string | null;
}

export interface ClaimNugget {
  readonly id: string;
  readonly claim: string;
  readonly source_url: string;
  readonly similarity: number;
}

export interface Correction {
  readonly id: string;
  /** The nugget that states the correction. */
  readonly nuggetId: string;
  readonly claim: string;
  readonly correction: string;
  readonly source_url: string;
  /** ISO 8601, UTC. */
  readonly created_at: string;
}

export interface CorrectionDeployedEvent {
  readonly id: string;
  readonly type: 'correction.deployed';
  /** ISO 8601, UTC. */
  readonly timestamp: string;
  readonly data: {
    readonly id: string;
    readonly claim: string;
    readonly correction: string;
    readonly sourceUrl: string;
  };
}

export interface CoveredObligation {
  readonly id: string;
  readonly framework:
    | 'EU AI Act'
    | 'EU harmonised standards (draft)'
    | 'NIST AI RMF'
    | 'NIST AI 600-1'
    | 'NIST COSAiS (draft)'
    | 'ISO 42001'
    | 'SOC 2';
  /** Article, clause or number in the framework. */
  readonly reference: string;
  /** The subject in our words, not the text of the framework. */
  readonly title: string;
  /** The date from which it applies; null where the framework sets none. ISO 8601 date. */
  readonly appliesFrom: string | null;
  /** Records about it, supporting and adverse. */
  readonly evidenceCount: number;
  /** Records that support it. */
  readonly supportingCount: number;
  /** Records of failures, such as a failed red-team test; they do not support it. */
  readonly adverseCount: number;
  readonly newestEvidence: {
    /** UUID. */
    readonly id: string;
    readonly title: string;
    /** ISO 8601, UTC. */
    readonly createdAt: string;
    /** `adverse` where a failure links the record to the obligation. */
    readonly stance: 'supporting' | 'adverse';
  } | null;
  /**
   * `applies_later` before its date; `unclassified` where it depends on a risk class that the AI
   * system does not have.
   */
  readonly applicability: 'applies' | 'applies_later' | 'unclassified';
}

export interface CurrentSession {
  readonly member: Member;
  readonly organization: OrganizationBrief;
  readonly csrf_token: string;
  /** When the session ends. ISO 8601, UTC. */
  readonly expires_at: string;
}

export interface DeleteOrganizationQuery {
  /** The organization's slug. */
  readonly confirm: string;
}

export interface Delivery {
  readonly id: string;
  readonly eventId: string;
  readonly eventType: WebhookEventType;
  /** Whether it is a test: its failures do not disable the webhook. */
  readonly test: boolean;
  readonly status: 'pending' | 'delivered' | 'failed' | 'held';
  readonly attempts: readonly DeliveryAttempt[];
  /** Null when no attempt is scheduled. ISO 8601, UTC. */
  readonly nextAttemptAt: string | null;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
}

export interface DeliveryAttempt {
  readonly number: number;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly durationMs: number;
  readonly responseStatus: number | null;
  /** The first 4 KB of the response body. */
  readonly responseBody: string | null;
  /** Reason for a missing response. */
  readonly error: string | null;
}

export interface DeliveryDetail {
  readonly id: string;
  readonly eventId: string;
  readonly eventType: WebhookEventType;
  /** Whether it is a test: its failures do not disable the webhook. */
  readonly test: boolean;
  readonly status: 'pending' | 'delivered' | 'failed' | 'held';
  readonly attempts: readonly DeliveryAttempt[];
  /** Null when no attempt is scheduled. ISO 8601, UTC. */
  readonly nextAttemptAt: string | null;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** The request of the last attempt; null before the first. */
  readonly request: DeliveryRequest | null;
  /** The request body of the last attempt; before the first attempt, the body of the next one. */
  readonly body: string;
}

export interface DeliveryRequest {
  readonly url: string;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface DryRun {
  /** Number of scans that were judged. */
  readonly scans: number;
  /** False where there are more than 100,000 scans since `since`. */
  readonly isComplete: boolean;
  /** Verdicts by the present policies. */
  readonly before: VerdictCounts;
  /** Verdicts with the rules in force. */
  readonly after: VerdictCounts;
  /** Number of scans whose verdict would be another one. */
  readonly changed: number;
  /** The newest scans whose verdict would be another one, at most 50. */
  readonly changes: readonly ChangedScan[];
}

export interface DryRunRequest {
  /**
   * The first rule that matches a finding decides on it; what no rule matches is allowed. At most
   * 200.
   */
  readonly rules: readonly NewPolicyRule[];
  /**
   * The policy whose rules they would replace; by default they are a further policy. At most 100
   * characters.
   */
  readonly policyId?: string | undefined;
  /** The number of newest scans; default 10,000 without `since`. 1 to 100000. */
  readonly last?: number | undefined;
  /**
   * The scans made at this time or later, at most the newest 100,000; not together with `last`. ISO
   * 8601, UTC.
   */
  readonly since?: string | undefined;
}

export interface EvaltoolImport {
  /** The AI system that the records are about. UUID. */
  readonly aiSystemId?: string | null | undefined;
  /** Labels of the records. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Whether the redacted reasons of failures are stored; default true. */
  readonly storeGradingReason?: boolean | undefined;
  /**
   * The JSON output file of the evaluation tool, as written or with version, timestamp, results and
   * stats at the top. Prompts, outputs, variables and rubrics are passed over.
   */
  readonly evaltoolOutput: {
    /** Of the results; within `results` in a file. */
    readonly version?: 2 | 3 | undefined;
    /** Time of the evaluation, ISO 8601. */
    readonly timestamp?: string | undefined;
    /** The results, or the object that holds them in a file that the tool has written. */
    readonly results:
      | readonly Readonly<Record<string, unknown>>[]
      | Readonly<Record<string, unknown>>;
    readonly stats?:
      | ({
          readonly successes: number;
          readonly failures: number;
          readonly errors?: number | undefined;
        } & Readonly<Record<string, unknown>>)
      | undefined;
  } & Readonly<Record<string, unknown>>;
  /** SHA-256 that identifies an evaluation without a time. */
  readonly contentDigest?: string | undefined;
}

export interface EvaluationRun {
  /** The record that sums up the run. UUID. */
  readonly evidenceId: string;
  readonly provider: string;
  /** Another label of the same provider is another system; null where it has none. */
  readonly providerLabel: string | null;
  /** UUID. */
  readonly aiSystemId: string | null;
  /** Where the file names no time, that of the import. ISO 8601, UTC. */
  readonly evaluatedAt: string;
  readonly successes: number;
  readonly failures: number;
  /** Tests that did not run. */
  readonly errors: number;
  /** Successes by all tests, those that did not run included; null where there was none. */
  readonly passRate: number | null;
}

export interface EventTypeDescription {
  readonly type: WebhookEventType;
  /** When the event is sent. */
  readonly description: string;
  /** JSON Schema 2020-12 of the member `data` of the event. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** An example of `data`, which test events carry. */
  readonly sample: Readonly<Record<string, unknown>>;
}

export interface Evidence {
  /** UUID. */
  readonly id: string;
  readonly evidenceType: string;
  /** What made the record. */
  readonly source: string;
  readonly title: string;
  readonly content: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** UUID. */
  readonly aiSystemId: string | null;
  readonly labels: Readonly<Record<string, string>>;
  /** The obligations that the record supports or speaks against. */
  readonly links: readonly ObligationLink[];
  /** When what it reports happened; null where the source does not say. ISO 8601, UTC. */
  readonly occurredAt: string | null;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** The record's place in the chain of the organization. */
  readonly sequence: number;
  /** SHA-256 of the record and of what precedes it in the chain, in hex. */
  readonly hash: string;
}

export interface EvidenceChanges {
  /** The AI system that the record is about; null for none. UUID. */
  readonly aiSystemId?: string | null | undefined;
  /** Replaces all labels. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

export interface EvidenceImportResult {
  readonly totalResultsProcessed: number;
  /** New records: one for each provider, one for each failing result. */
  readonly evidenceCreated: number;
  /** Records that an earlier import had created. */
  readonly evidenceSkipped: number;
  /** Links of the new records to obligations. */
  readonly obligationLinksCreated: number;
  /** Ids of the new records. */
  readonly evidenceIds: readonly string[];
  readonly warnings: readonly string[];
}

export interface EvidenceVerification {
  /** Whether no fault was found. */
  readonly valid: boolean;
  /** Nodes of the chain verified before the fault, or all. */
  readonly nodes: number;
  /** Records that were compared with their nodes. */
  readonly records: number;
  /** Retention removed the records up to this sequence and kept their nodes. */
  readonly removedThrough: number;
  /**
   * The first fault: a record or node that was changed, is missing or was added; `unindexed` when
   * lists do not find it by what it says; `unsealed` when the chain does not end as it was sealed,
   * `lost` when that was so before this node was appended.
   */
  readonly fault: {
    readonly sequence: number;
    readonly reason: 'changed' | 'missing' | 'added' | 'unindexed' | 'unsealed' | 'lost';
  } | null;
  /** The first node from which the chain is proven by the encryption key. */
  readonly sealedFrom: number | null;
  /**
   * The end of the chain: a copy kept elsewhere shows later that the chain was not replaced by an
   * older one.
   */
  readonly end: {
    readonly sequence: number;
    readonly hash: string;
  } | null;
}

export interface ExportEvidenceQuery {
  /** UUID. */
  readonly aiSystemId?: string | undefined;
  /** At most 100 characters. */
  readonly evidenceType?: string | undefined;
  /** Records that support an obligation of the framework. */
  readonly framework?:
    | 'EU AI Act'
    | 'EU harmonised standards (draft)'
    | 'NIST AI RMF'
    | 'NIST AI 600-1'
    | 'NIST COSAiS (draft)'
    | 'ISO 42001'
    | 'SOC 2'
    | undefined;
  /** Records that support the obligation with this id. */
  readonly obligation?: string | undefined;
  /**
   * Records with all of these labels: `name:value`, several separated by commas. A comma or a
   * backslash of a label is written after a backslash, as is a colon of a name. At most 2000
   * characters.
   */
  readonly label?: string | undefined;
  /** Records made at this time or later. ISO 8601, UTC. */
  readonly since?: string | undefined;
  /** Records made before this time. ISO 8601, UTC. */
  readonly until?: string | undefined;
  /** Text in the title or the content, in any case of the letters A to Z. At most 200 characters. */
  readonly q?: string | undefined;
  /**
   * `json`: an object with the records as `data`; `csv`: RFC 4180, in UTF-8 with a byte order mark
   * and a header; `jsonl`: the whole chain, one node in a line, as `probity evidence verify FILE`
   * reads it; `oscal`: assessment results of OSCAL 1.2.2, whose controls are those of `GET
   * /compliance/catalog`. Default "json".
   */
  readonly format?: 'json' | 'jsonl' | 'csv' | 'oscal' | undefined;
  /** With `format=oscal`: findings on the obligations with evidence (default), or on all obligations. */
  readonly findings?: 'evidenced' | 'all' | undefined;
  /**
   * With `format=csv`: a row for each record (default), or for each record and obligation with
   * readable names.
   */
  readonly rows?: 'records' | 'obligations' | undefined;
}

/** One bad field of a request; `field` is a path such as `events.0`. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

export interface Finding {
  readonly stage: string;
  readonly type: string;
  /** Confidence that the type of the finding is correct. */
  readonly score: number;
  readonly field: 'prompt' | 'response' | 'context' | 'messages';
  /**
   * Place of the text in `messages`, as in JavaScript: `[2].content[0].text`. Where a text is JSON,
   * as the arguments of a tool call, it goes on within its value:
   * `[3].tool_calls[0].function.arguments["home address"]`. In names of members found characters are
   * replaced by `*`. Present only when field is messages.
   */
  readonly path?: string | undefined;
  /** The text is the name of the member at `path`, rather than its value. */
  readonly inName?: true | undefined;
  /** Index of the passage in context; present only when field is context. */
  readonly contextIndex?: number | undefined;
  /** Index of the statement in the knowledge base; present only for truth stages. */
  readonly nugget?: number | undefined;
  /** Id of the statement; absent when it has none. */
  readonly nuggetId?: string | undefined;
  /**
   * Offset of the start, in UTF-16 code units of the field as sent, or of the text at `path`; of a
   * number, of its digits.
   */
  readonly start: number;
  /** Offset after the end, likewise. */
  readonly end: number;
  readonly action: 'block' | 'redact' | 'flag' | 'allow';
}

export interface FoundNugget {
  readonly id: string;
  readonly claim: string;
  readonly source_url: string;
  readonly category: string | null;
  readonly confidence: number | null;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  /** ISO 8601, UTC. */
  readonly updated_at: string;
  /** Cosine of the vectors. */
  readonly similarity: number;
}

export interface GeneralError {
  readonly error: {
    readonly code:
      | 'INVALID_REQUEST'
      | 'VALIDATION_ERROR'
      | 'INVALID_API_KEY'
      | 'INSUFFICIENT_PERMISSIONS'
      | 'RESOURCE_NOT_FOUND'
      | 'METHOD_NOT_ALLOWED'
      | 'RESOURCE_ALREADY_EXISTS'
      | 'CONFLICT'
      | 'PRECONDITION_FAILED'
      | 'PAYLOAD_TOO_LARGE'
      | 'UNSUPPORTED_MEDIA_TYPE'
      | 'RATE_LIMIT_EXCEEDED'
      | 'INTERNAL_ERROR'
      | 'NOT_IMPLEMENTED'
      | 'SERVICE_UNAVAILABLE';
    readonly message: string;
    /** 400 to 599. */
    readonly statusCode: number;
    readonly details?: readonly FieldError[] | undefined;
    readonly requestId: string;
  };
}

export interface GeneralForbidden {
  readonly error: {
    readonly code: 'INSUFFICIENT_PERMISSIONS';
    readonly message: string;
    /** 400 to 599. */
    readonly statusCode: number;
    readonly details?: readonly FieldError[] | undefined;
    readonly requestId: string;
  };
}

export interface GetCoverageQuery {
  /** 1 to 200; default 50. */
  readonly limit?: number | undefined;
  /** Default 0. */
  readonly offset?: number | undefined;
  readonly framework?:
    | 'EU AI Act'
    | 'EU harmonised standards (draft)'
    | 'NIST AI RMF'
    | 'NIST AI 600-1'
    | 'NIST COSAiS (draft)'
    | 'ISO 42001'
    | 'SOC 2'
    | undefined;
  /** UUID. */
  readonly aiSystemId?: string | undefined;
}

export interface GetEvidenceReportQuery {
  readonly framework?:
    | 'EU AI Act'
    | 'EU harmonised standards (draft)'
    | 'NIST AI RMF'
    | 'NIST AI 600-1'
    | 'NIST COSAiS (draft)'
    | 'ISO 42001'
    | 'SOC 2'
    | undefined;
  /** UUID. */
  readonly aiSystemId?: string | undefined;
}

export interface GetObligationCatalogQuery {
  readonly framework?:
    | 'EU AI Act'
    | 'EU harmonised standards (draft)'
    | 'NIST AI RMF'
    | 'NIST AI 600-1'
    | 'NIST COSAiS (draft)'
    | 'ISO 42001'
    | 'SOC 2'
    | undefined;
}

export interface GovernanceSettings {
  readonly retention: Retention;
  /** Null while the organization has the defaults. ISO 8601, UTC. */
  readonly updatedAt: string | null;
}

export interface GovernanceSettingsChanges {
  readonly retention?: RetentionChanges | undefined;
}

export interface Heartbeat {
  readonly kind: 'gateway' | 'sentinel';
  /** Chosen by the instance; must stay the same across restarts. At most 200 characters. */
  readonly instance_id: string;
  /** At most 100 characters. */
  readonly version: string;
}

export interface ImportDetail {
  readonly id: string;
  readonly format: 'csv' | 'json';
  readonly strict: boolean;
  /**
   * interrupted: nothing was read for five minutes; failed: the file was refused or its connection
   * broke.
   */
  readonly status: 'running' | 'interrupted' | 'completed' | 'failed';
  /** Rows that were read. */
  readonly rows: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Rows that were refused. */
  readonly failed: number;
  /** Why the file was not read to its end. */
  readonly problem: string | null;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  /** When the last batch was read. ISO 8601, UTC. */
  readonly updated_at: string;
  /** ISO 8601, UTC. */
  readonly ended_at: string | null;
  /** Refused rows, once the import has ended. */
  readonly errors: readonly {
    readonly line: number;
    readonly field: string | null;
    readonly message: string;
  }[];
}

export interface ImportNuggetsQuery {
  /** Whether one bad row refuses the whole file. Default "false". */
  readonly strict?: 'true' | 'false' | undefined;
}

export type ImportNuggetsResult = {
  readonly data: KnowledgeImport;
};

export interface ImportProgress {
  readonly id: string;
  readonly format: 'csv' | 'json';
  readonly strict: boolean;
  /**
   * interrupted: nothing was read for five minutes; failed: the file was refused or its connection
   * broke.
   */
  readonly status: 'running' | 'interrupted' | 'completed' | 'failed';
  /** Rows that were read. */
  readonly rows: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Rows that were refused. */
  readonly failed: number;
  /** Why the file was not read to its end. */
  readonly problem: string | null;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  /** When the last batch was read. ISO 8601, UTC. */
  readonly updated_at: string;
  /** ISO 8601, UTC. */
  readonly ended_at: string | null;
}

export interface Incident {
  /** Id of the incident in the ITSM system (`sys_id`). */
  readonly id: string;
  readonly number: string;
  /** Address of the incident for people. */
  readonly url: string;
}

export interface Instance {
  readonly kind: 'gateway' | 'sentinel';
  readonly instance_id: string;
  readonly version: string;
  /** ISO 8601, UTC. */
  readonly first_seen: string;
  /** ISO 8601, UTC. */
  readonly last_seen: string;
}

export interface InstanceUsage {
  readonly kind: 'gateway' | 'sentinel';
  /** Chosen by the instance; must stay the same across restarts. At most 200 characters. */
  readonly instance_id: string;
  /** At most 500. */
  readonly usage: readonly {
    /** Start of the minute in UTC. ISO 8601, UTC. */
    readonly minute: string;
    /** Scans that began in the minute; more than 1,000,000 are refused. 0 to 1000000000. */
    readonly scans: number;
  }[];
}

export interface Integration {
  readonly id: string;
  readonly type: 'itsm' | 'chatops';
  /** `failing` when the system refused the last call. */
  readonly status: 'connected' | 'failing';
  /** Of an `itsm` integration. */
  readonly instance_url: string | null;
  /** Of a `chatops` integration. */
  readonly tenant_id: string | null;
  readonly client_id: string;
  /** Null while no alerts are sent. */
  readonly routing: Routing | null;
  /** Why the system refused the last call. */
  readonly lastError: string | null;
  /** ISO 8601, UTC. */
  readonly lastErrorAt: string | null;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** ISO 8601, UTC. */
  readonly updatedAt: string;
}

export interface IntegrationChanges {
  /** Null sends no alerts. */
  readonly routing?: AlertRouting | null | undefined;
  /** Id of the OAuth client. At most 512 characters. */
  readonly client_id?: string | undefined;
  /** Secret of the OAuth client; stored encrypted and never returned. At most 512 characters. */
  readonly client_secret?: string | undefined;
}

export interface IntegrationCheck {
  /** `failing` when the system refused the last call. */
  readonly status: 'connected' | 'failing';
  readonly checks: readonly {
    readonly step: 'token' | 'read_incidents' | 'post_message';
    readonly result: 'passed' | 'failed' | 'skipped';
    /** Why the step has failed or was skipped. */
    readonly message: string | null;
  }[];
}

export interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly role: 'owner' | 'admin' | 'editor' | 'member' | 'viewer';
  /** ISO 8601, UTC. */
  readonly sent_at: string;
  /** ISO 8601, UTC. */
  readonly expires_at: string;
  readonly status: 'pending' | 'accepted' | 'expired' | 'revoked';
}

export interface InvitationAcceptance {
  /** At most 100 characters. */
  readonly token: string;
  /** Replaces the name of the member. At most 200 characters. */
  readonly name?: string | null | undefined;
  /** Password for sign-in. At most 4096 characters. */
  readonly password?: string | null | undefined;
}

export interface InvitedMember {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly role: 'owner' | 'admin' | 'editor' | 'member' | 'viewer';
  readonly status: 'pending_invite' | 'active' | 'suspended';
  /** ISO 8601, UTC. */
  readonly created_at: string;
  /** ISO 8601, UTC. */
  readonly last_login: string | null;
  readonly mfa_enabled: boolean;
  /** ISO 8601, UTC. */
  readonly invitation_sent_at: string;
}

export interface Invoice {
  readonly id: string;
  /** In minor units of the currency (cents for usd). */
  readonly amount: number;
  readonly currency: string;
  /** ISO 8601 date. */
  readonly date: string;
  /** ISO 8601 date. */
  readonly due_date: string;
  readonly status: 'draft' | 'open' | 'paid' | 'void';
  /** Signed link to the PDF; needs no API key and expires after one hour. */
  readonly pdf_url: string;
}

export interface IssuedApiKey {
  readonly id: string;
  readonly name: string;
  /** Returned only in this response. */
  readonly token: string;
  /** ISO 8601, UTC. */
  readonly expires_at: string | null;
  readonly prefix: string;
  readonly role: 'owner' | 'admin' | 'editor' | 'member' | 'viewer';
  /** ISO 8601, UTC. */
  readonly created_at: string;
}

export interface IssuedPortalToken {
  readonly id: string;
  /** The member who made it. */
  readonly memberId: string;
  readonly capabilities: readonly PortalCapability[];
  /** Null for all of the organization. */
  readonly webhookIds: readonly string[] | null;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** ISO 8601, UTC. */
  readonly expiresAt: string;
  /** A bearer token; returned only in this response. */
  readonly token: string;
}

export interface IssuedScimToken {
  /** Returned only in this response. */
  readonly token: string;
  readonly enabled: boolean;
  readonly base_url: string;
  readonly token_prefix: string | null;
  /** ISO 8601, UTC. */
  readonly created_at: string | null;
  /** ISO 8601, UTC. */
  readonly expires_at: string | null;
  /** ISO 8601, UTC. */
  readonly last_used: string | null;
  /** Number of SCIM users; null where it is not known. */
  readonly user_count: number | null;
  /** Number of SCIM groups; null where it is not known. */
  readonly group_count: number | null;
}

export interface IssuedWebhook {
  readonly id: string;
  readonly url: string;
  readonly events: readonly WebhookEventType[];
  /**
   * The format of the body of a delivery: `standard` is the envelope of the event, `slack` a message
   * for Slack, with `text` and `blocks`.
   */
  readonly format: 'standard' | 'slack';
  readonly active: boolean;
  /** The most deliveries that begin within a second; null for no limit. */
  readonly rateLimit: number | null;
  readonly ordered: boolean;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /**
   * Time at which failing deliveries disabled the webhook; null while it is not disabled. ISO 8601,
   * UTC.
   */
  readonly disabledAt: string | null;
  readonly disabledReason: string | null;
  /** Reasons for which its deliveries will probably be refused, each with the remedy; mostly empty. */
  readonly warnings: readonly string[];
  /**
   * Key of the delivery signatures; returned only in this response, and null for a portal token
   * without the capability `secret`.
   */
  readonly secret: string | null;
}

export interface KnowledgeImport {
  /** Names the import in `GET /knowledge/imports/{import_id}`. */
  readonly id: string;
  /** Rows of the file, without the header. */
  readonly rows: number;
  /** Nuggets that are new. */
  readonly created: number;
  /** Nuggets whose category or confidence the file has changed. */
  readonly updated: number;
  /** Rows that the knowledge base had as they are. */
  readonly unchanged: number;
  /** Rows that were refused. */
  readonly failed: number;
  /** Why rows were refused: of the first 1,000 of them. */
  readonly errors: readonly {
    /** Of CSV the line, with the header; of JSON the place in the array, from 1. */
    readonly line: number;
    readonly field: string | null;
    readonly message: string;
  }[];
}

export interface KnowledgeIndex {
  /** Whether the vectors have every change of the knowledge base. */
  readonly status: 'current' | 'building';
  /** What makes the vectors. */
  readonly embedder: string;
  readonly nuggets: number;
  /** Nuggets that were stored, changed or deleted and are not indexed yet. */
  readonly pending: number;
  /** Place of the last change of the knowledge base. */
  readonly sequence: number;
  /** Place up to which the vectors follow. */
  readonly indexed_sequence: number;
}

export interface ListAiSystemsQuery {
  /** 1 to 200; default 50. */
  readonly limit?: number | undefined;
  /** Default 0. */
  readonly offset?: number | undefined;
}

export interface ListAlertCommentsQuery {
  /** 1 to 200; default 50. */
  readonly limit?: number | undefined;
  /** Default 0. */
  readonly offset?: number | undefined;
}

export interface ListAlertHistoryQuery {
  /** 1 to 200; default 50. */
  readonly limit?: number | undefined;
  /** Default 0. */
  readonly offset?: number | undefined;
}

export interface ListAlertsQuery {
  /** 1 to 200; default 50. */
  readonly limit?: number | undefined;
  /** Default 0. */
  readonly offset?: number | undefined;
  readonly status?: 'open' | 'resolved' | undefined;
  readonly type?: 'pii' | 'hallucination' | 'injection' | 'toxicity' | 'policy' | undefined;
  readonly severity?: 'low' | 'medium' | 'high' | 'critical' | undefined;
  /** Alerts made at this time or later. ISO 8601, UTC. */
  readonly since?: string | undefined;
  /** Alerts made before this time. ISO 8601, UTC. */
  readonly until?: string | undefined;
  /** Alerts that this scan raised. At most 100 characters. */
  readonly scanId?: string | undefined;
  /** Alerts that are assigned to the member with this id. At most 200 characters. */
  readonly assignee?: string | undefined;
  /**
   * Alerts whose message or resolution contains this text, in any letter case. At most 200
   * characters.
   */
  readonly q?: string | undefined;
  /**
   * Counts the alerts by type and hour of creation (UTC), newest hour first, in place of listing
   * them.
   */
  readonly group_by?: 'type' | undefined;
}

export interface ListApiKeysQuery {
  /** 1 to 200; default 50. */
  readonly limit?: number | undefined;
  /** Default 0. */
  readonly offset?: number | undefined;
}

export interface ListAuditLogQuery {
  /** 1 to 200; default 50. */
  readonly limit?: number | undefined;
  /** Default 0. */
  readonly offset?: number | undefined;
  /** At most 100 characters. */
  readonly actor?: string | undefined;
  /** At most 100 characters. */
  readonly action?: string | undefined;
  /** Earliest time of the entries, inclusive; ISO 8601 with an offset. ISO 8601, UTC. */
  readonly since?: string | undefined;
  /** Latest time of the entries, exclusive; ISO 8601 with an offset. ISO 8601, UTC. */
  readonly until?: string | undefined;
}

export interface ListCertificatesQuery {
  /** 1 to 200; default 50. */
  readonly limit?: number | undefined;
  /** Default 0. */
  readonly offset?: number | undefined;
  /** SHA-256 of the content. */
  readonly contentHash?: string | undefined;
  /** A nugget that supports a claim. At most 100 characters. */
  readonly nuggetId?: string | undefined;
  /** The present state; an expired certificate that was revoked is `revoked`. */
  readonly state?: 'valid' | 'expired' | 'revoked' | undefined;
}

export interface ListCorrectionsQuery {
  /** 1 to 200; default 50. */
  readonly limit?: number | undefined;
  /** Default 0. */
  readonly offset?: number | undefined;
  /** The nugget that states them. At most 200 characters. */
  readonly nuggetId?: string | undefined;
}

export interface ListEvaluationRunsQuery {
  /** 1 to 200; default 50. */
  readonly limit?: number | undefined;
  /** Default 0. */
  readonly offset?: number | undefined;
  /** UUID. */
  readonly aiSystemId?: string | undefined;
  /** At most 300 characters. */
  readonly provider?: string | undefined;
  /** Runs evaluated at this time or later. ISO 8601, UTC. */
  readonly since?: string | undefined;
  /** Runs evaluated before this time. ISO 8601, UTC. */
  readonly until?: string | undefined;
}

export interface ListEventsQuery {
  /** 1 to 200; default 50. */
  readonly limit?: number | undefined;
  /** Default 0. */
  readonly offset?: number | undefined;
  /** Earliest time of the events, inclusive; ISO 8601 with an offset. ISO 8601, UTC. */
  readonly since?: string | undefined;
  /** Latest time of the events, exclusive; ISO 8601 with an offset. ISO 8601, UTC. */
  readonly until?: string | undefined;
}

export interface ListEvidenceQuery {
  /** 1 to 200; default 50. */
  readonly limit?: number | undefined;
  /** Default 0. */
  readonly offset?: number | undefined;
  /** UUID. */
  readonly aiSystemId?: string | undefined;
  /** At most 100 characters. */
  readonly evidenceType?: string | undefined;
  /** Records that support an obligation of the framework. */
  readonly framework?:
    | 'EU AI Act'
    | 'EU harmonised standards (draft)'
    | 'NIST AI RMF'
    | 'NIST AI 600-1'
    | 'NIST COSAiS (draft)'
    | 'ISO 42001'
    | 'SOC 2'
    | undefined;
  /** Records that support the obligation with this id. */
  readonly obligation?: string | undefined;
  /**
   * Records with all of these labels: `name:value`, several separated by commas. A comma or a
   * backslash of a label is written after a backslash, as is a colon of a name. At most 2000
   * characters.
   */
  readonly label?: string | undefined;
  /** Records made at this time or later. ISO 8601, UTC. */
  readonly since?: string | undefined;
  /** Records made before this time. ISO 8601, UTC. */
  readonly until?: string | undefined;
  /** Text in the title or the content, in any case of the letters A to Z. At most 200 characters. */
  readonly q?: string | undefined;
}

export interface ListImportsQuery {
  /** 1 to 200; default 50. */
  readonly limit?: number | undefined;
  /** Default 0. */
  readonly offset?: number | undefined;
}

export interface ListIntegrationsQuery {
  /** 1 to 200; default 50. */
  readonly limit?: number | undefined;
  /** Default 0. */
  readonly offset?: number | undefined;
}

export interface ListInvitationsQuery {
  /** 1 to 200; default 50. */
  readonly limit?: number | undefined;
  /** Default 0. */
  readonly offset?: number | undefined;
}

export interface ListInvoicesQuery {
  /** 1 to 200; default 50. */
  readonly limit?: number | undefined;
  /** Default 0. */
  readonly offset?: number | undefined;
}

export interface ListMembersQuery {
  /** 1 to 200; default 50. */
  readonly limit?: number | undefined;
  /** Default 0. */
  readonly offset?: number | undefined;
}

export interface ListNuggetsQuery {
  /** 1 to 200; default 50. */
  readonly limit?: number | undefined;
  /** Default 0. */
  readonly offset?: number | undefined;
  /** The category, as it was given. At most 200 characters. */
  readonly category?: string | undefined;
  /** The source, as it was given. At most 2048 characters. */
  readonly source_url?: string | undefined;
}

export interface ListObligationsQuery {
  /** 1 to 200; default 50. */
  readonly limit?: number | undefined;
  /** Default 0. */
  readonly offset?: number | undefined;
  readonly framework?:
    | 'EU AI Act'
    | 'EU harmonised standards (draft)'
    | 'NIST AI RMF'
    | 'NIST AI 600-1'
    | 'NIST COSAiS (draft)'
    | 'ISO 42001'
    | 'SOC 2'
    | undefined;
}

export interface ListOrganizationsQuery {
  /** 1 to 200; default 50. */
  readonly limit?: number | undefined;
  /** Default 0. */
  readonly offset?: number | undefined;
}

export interface ListPoliciesQuery {
  /** 1 to 200; default 50. */
  readonly limit?: number | undefined;
  /** Default 0. */
  readonly offset?: number | undefined;
}

export interface ListPolicyVersionsQuery {
  /** 1 to 200; default 50. */
  readonly limit?: number | undefined;
  /** Default 0. */
  readonly offset?: number | undefined;
}

export interface ListProtectedTextsQuery {
  /** 1 to 200; default 50. */
  readonly limit?: number | undefined;
  /** Default 0. */
  readonly offset?: number | undefined;
}

export interface ListProviderTrendsQuery {
  /** 1 to 200; default 50. */
  readonly limit?: number | undefined;
  /** Default 0. */
  readonly offset?: number | undefined;
  /** UUID. */
  readonly aiSystemId?: string | undefined;
  /** At most 300 characters. */
  readonly provider?: string | undefined;
  /** Runs evaluated at this time or later. ISO 8601, UTC. */
  readonly since?: string | undefined;
  /** Runs evaluated before this time. ISO 8601, UTC. */
  readonly until?: string | undefined;
}

export interface ListRolesQuery {
  /** 1 to 200; default 50. */
  readonly limit?: number | undefined;
  /** Default 0. */
  readonly offset?: number | undefined;
}

export interface ListScanBatchItemsQuery {
  /** 1 to 200; default 50. */
  readonly limit?: number | undefined;
  /** Default 0. */
  readonly offset?: number | undefined;
  readonly status?: 'pending' | 'completed' | 'failed' | 'canceled' | undefined;
  readonly verdict?: 'allowed' | 'flagged' | 'blocked' | undefined;
}

export interface ListScansQuery {
  /** 1 to 200; default 50. */
  readonly limit?: number | undefined;
  /** Default 0. */
  readonly offset?: number | undefined;
  /**
   * `single`: scans, those of batches included. `batch`: batches, of which only `key`, `since` and
   * `until` select some. Default "single".
   */
  readonly kind?: 'single' | 'batch' | undefined;
  readonly verdict?: 'allowed' | 'flagged' | 'blocked' | undefined;
  /** Scans with a finding of this stage. At most 100 characters. */
  readonly stage?: string | undefined;
  /** Scans with a finding of this type. At most 100 characters. */
  readonly type?: string | undefined;
  /** Scans to which the policy with this id was applied. At most 100 characters. */
  readonly policy?: string | undefined;
  /** Scans of the API key with this id. At most 100 characters. */
  readonly key?: string | undefined;
  /** Scans about this AI system. UUID. */
  readonly aiSystemId?: string | undefined;
  /** Scans made at this time or later. ISO 8601, UTC. */
  readonly since?: string | undefined;
  /** Scans made before this time. ISO 8601, UTC. */
  readonly until?: string | undefined;
}

export interface ListScimActivityQuery {
  /** 1 to 200; default 50. */
  readonly limit?: number | undefined;
  /** Default 0. */
  readonly offset?: number | undefined;
}

export interface ListSessionsQuery {
  /** 1 to 200; default 50. */
  readonly limit?: number | undefined;
  /** Default 0. */
  readonly offset?: number | undefined;
}

export interface ListWebhookDeliveriesQuery {
  /** 1 to 200; default 50. */
  readonly limit?: number | undefined;
  /** Default 0. */
  readonly offset?: number | undefined;
  readonly status?: 'pending' | 'delivered' | 'failed' | 'held' | undefined;
  readonly eventType?: WebhookEventType | undefined;
}

export interface ListWebhookEventTypesQuery {
  /** 1 to 200; default 50. */
  readonly limit?: number | undefined;
  /** Default 0. */
  readonly offset?: number | undefined;
}

export interface ListWebhookPortalTokensQuery {
  /** 1 to 200; default 50. */
  readonly limit?: number | undefined;
  /** Default 0. */
  readonly offset?: number | undefined;
  readonly memberId?: string | undefined;
}

export interface ListWebhookReplaysQuery {
  /** 1 to 200; default 50. */
  readonly limit?: number | undefined;
  /** Default 0. */
  readonly offset?: number | undefined;
}

export interface ListWebhooksQuery {
  /** 1 to 200; default 50. */
  readonly limit?: number | undefined;
  /** Default 0. */
  readonly offset?: number | undefined;
}

export type ListedScan = ScanRecord | ScanBatch;

export interface LitellmGuardrailAnswer {
  readonly action: 'BLOCKED' | 'NONE' | 'GUARDRAIL_INTERVENED';
  /** Present where the action is `BLOCKED`. */
  readonly blocked_reason?: string | undefined;
  /** All texts in order, with values replaced; present where the action is `GUARDRAIL_INTERVENED`. */
  readonly texts?: readonly string[] | undefined;
}

export type LitellmGuardrailRequest = {
  /** Whether the texts are what the model is asked, or what it has answered. */
  readonly input_type: 'request' | 'response';
  /** The texts of the request or of the response, in order. */
  readonly texts?: readonly string[] | null | undefined;
  /** The messages of the request; texts that only they have are scanned as well. */
  readonly structured_messages?: readonly unknown[] | null | undefined;
  /** The tools that the model is offered; their names and descriptions are scanned. */
  readonly tools?: readonly unknown[] | null | undefined;
  /** Calls of tools in a response; their names and arguments are scanned. */
  readonly tool_calls?: readonly unknown[] | null | undefined;
  /** At most 1000 characters. */
  readonly litellm_call_id?: string | null | undefined;
  /** At most 1000 characters. */
  readonly litellm_trace_id?: string | null | undefined;
} & Readonly<Record<string, unknown>>;

export interface Member {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly role: 'owner' | 'admin' | 'editor' | 'member' | 'viewer';
  readonly status: 'pending_invite' | 'active' | 'suspended';
  /** ISO 8601, UTC. */
  readonly created_at: string;
  /** ISO 8601, UTC. */
  readonly last_login: string | null;
  readonly mfa_enabled: boolean;
}

/** Either a role or an e-mail. */
export interface MemberChanges {
  readonly role?: 'owner' | 'admin' | 'editor' | 'member' | 'viewer' | undefined;
  /** E-mail address; at most 254 characters. */
  readonly email?: string | undefined;
}

export interface Membership {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly role: 'owner' | 'admin' | 'editor' | 'member' | 'viewer';
  readonly status: 'pending_invite' | 'active' | 'suspended';
  /** ISO 8601, UTC. */
  readonly created_at: string;
  /** ISO 8601, UTC. */
  readonly last_login: string | null;
  readonly mfa_enabled: boolean;
  readonly organization_id: string;
}

/**
 * A message of OpenAI’s chat completions or an item of its responses, of the AI SDK, or of
 * Anthropic’s API: a `role` with a text or parts as `content`, tool calls with arguments, results
 * of tools, reasoning.
 */
export type Message = Readonly<Record<string, unknown>>;

export interface MfaBeginning {
  /** At most 4096 characters. */
  readonly password: string;
}

export interface MfaConfirmation {
  /** At most 64 characters. */
  readonly otp: string;
}

export interface MfaEnrollment {
  /** Base32 secret for manual entry in an authenticator app. */
  readonly secret: string;
  /** otpauth URL to show as a QR code. */
  readonly otpauth_url: string;
}

export interface MfaProof {
  /** At most 4096 characters. */
  readonly password: string;
  /** At most 64 characters. */
  readonly otp: string;
}

export interface MfaStatus {
  readonly enabled: boolean;
  readonly recovery_codes_left: number;
}

export interface ModerationAnswer {
  readonly id: string;
  readonly model: string;
  readonly results: readonly {
    /** Whether a category is flagged, or a policy blocks or redacts the text for another reason. */
    readonly flagged: boolean;
    readonly categories: {
      readonly harassment: boolean;
      readonly 'harassment/threatening': boolean;
      readonly hate: boolean;
      readonly 'hate/threatening': boolean;
      readonly illicit: boolean;
      readonly 'illicit/violent': boolean;
      readonly 'self-harm': boolean;
      readonly 'self-harm/instructions': boolean;
      readonly 'self-harm/intent': boolean;
      readonly sexual: boolean;
      readonly 'sexual/minors': boolean;
      readonly violence: boolean;
      readonly 'violence/graphic': boolean;
    };
    readonly category_scores: {
      readonly harassment: number;
      readonly 'harassment/threatening': number;
      readonly hate: number;
      readonly 'hate/threatening': number;
      readonly illicit: number;
      readonly 'illicit/violent': number;
      readonly 'self-harm': number;
      readonly 'self-harm/instructions': number;
      readonly 'self-harm/intent': number;
      readonly sexual: number;
      readonly 'sexual/minors': number;
      readonly violence: number;
      readonly 'violence/graphic': number;
    };
    /** Empty for categories that are not detected by themselves. */
    readonly category_applied_input_types: {
      readonly harassment: readonly 'text'[];
      readonly 'harassment/threatening': readonly 'text'[];
      readonly hate: readonly 'text'[];
      readonly 'hate/threatening': readonly 'text'[];
      readonly illicit: readonly 'text'[];
      readonly 'illicit/violent': readonly 'text'[];
      readonly 'self-harm': readonly 'text'[];
      readonly 'self-harm/instructions': readonly 'text'[];
      readonly 'self-harm/intent': readonly 'text'[];
      readonly sexual: readonly 'text'[];
      readonly 'sexual/minors': readonly 'text'[];
      readonly violence: readonly 'text'[];
      readonly 'violence/graphic': readonly 'text'[];
    };
  }[];
}

export type ModerationRequest = {
  /**
   * A text, texts with a result each, or parts with one result for all of their texts. Images are
   * not scanned.
   */
  readonly input:
    | string
    | readonly string[]
    | readonly (
        | ({
            readonly type: 'text';
            readonly text: string;
          } & Readonly<Record<string, unknown>>)
        | ({
            readonly type: 'image_url';
          } & Readonly<Record<string, unknown>>)
      )[];
  /** Repeated in the answer; it chooses nothing. At most 200 characters. */
  readonly model?: string | null | undefined;
} & Readonly<Record<string, unknown>>;

export interface MonitoredDecision {
  readonly policyId: string;
  readonly version: number;
  readonly verdict: 'allowed' | 'flagged' | 'blocked';
  readonly reason: string | null;
  readonly code: 'INJECTION_ATTEMPT_DETECTED' | 'PII_DETECTED' | 'POLICY_BLOCKED' | null;
}

export interface NewAiSystem {
  /** At most 200 characters. */
  readonly name: string;
  /** At most 5000 characters. */
  readonly description?: string | null | undefined;
  /**
   * As the organization classifies it under Regulation (EU) 2024/1689: `prohibited` (Article 5),
   * `high` (Article 6), `limited` (Article 50), `minimal`, `gpai` (a general-purpose model),
   * `gpai_systemic` (one with systemic risk); null while it is not classified.
   */
  readonly riskClass?:
    | 'prohibited'
    | 'high'
    | 'limited'
    | 'minimal'
    | 'gpai'
    | 'gpai_systemic'
    | null
    | undefined;
  /**
   * Who is responsible for it, in the organization's own words; null for nobody named. At most 200
   * characters.
   */
  readonly owner?: string | null | undefined;
}

export interface NewAlertComment {
  /** At most 5000 characters. */
  readonly text: string;
}

export interface NewApiKey {
  /** At most 100 characters. */
  readonly name: string;
  /** Days until the key expires, 1 to 3650; by default the key does not expire. */
  readonly expires_in_days?: number | null | undefined;
  /** At most the creator's role; default admin. */
  readonly role?: 'owner' | 'admin' | 'editor' | 'member' | 'viewer' | null | undefined;
}

export interface NewChatopsIntegration {
  /** Directory (tenant) id, or a verified domain of the tenant. */
  readonly tenant_id: string;
  /** Id of the OAuth client. At most 512 characters. */
  readonly client_id: string;
  /** Secret of the OAuth client; stored encrypted and never returned. At most 512 characters. */
  readonly client_secret: string;
}

export interface NewCorrection {
  /**
   * The nugget that stated the claim; default: the nugget of this claim and source, if there is one.
   * At most 200 characters.
   */
  readonly nuggetId?: string | undefined;
  /** The statement that is wrong. At most 4000 characters. */
  readonly claim: string;
  /** What is taken for true in its place. At most 4000 characters. */
  readonly correction: string;
  /** Where it comes from. At most 2048 characters. */
  readonly source_url: string;
}

export interface NewIncident {
  /** At most 160 characters. */
  readonly short_description: string;
  /** At most 4000 characters. */
  readonly description?: string | undefined;
  /** A value of the category field of the instance. At most 40 characters. */
  readonly category?: string | undefined;
  /** At most 40 characters. */
  readonly subcategory?: string | undefined;
  /** 1 (critical) to 5 (planning); instances may compute it from urgency and impact. 1 to 5. */
  readonly priority?: number | undefined;
  /** 1 (high) to 3 (low). 1 to 3. */
  readonly urgency?: number | undefined;
  /** 1 (high) to 3 (low). 1 to 3. */
  readonly impact?: number | undefined;
}

export interface NewItsmIntegration {
  /** Base URL of the ServiceNow instance: https, with a public address. At most 2048 characters. */
  readonly instance_url: string;
  /** Id of the OAuth client. At most 512 characters. */
  readonly client_id: string;
  /** Secret of the OAuth client; stored encrypted and never returned. At most 512 characters. */
  readonly client_secret: string;
}

export interface NewMember {
  /** E-mail address; at most 254 characters. */
  readonly email: string;
  /** At most 200 characters. */
  readonly name?: string | null | undefined;
  /** At most the caller's role. */
  readonly role: 'owner' | 'admin' | 'editor' | 'member' | 'viewer';
}

export interface NewNugget {
  /** A statement that is taken for true. At most 4000 characters. */
  readonly claim: string;
  /** Where it comes from. At most 2048 characters. */
  readonly source_url: string;
  /** In the organization's own words. At most 200 characters. */
  readonly category?: string | null | undefined;
  /** A number from 0 to 1, or `low` (0.3), `medium` (0.6), `high` (0.9). */
  readonly confidence?: number | string | null | undefined;
  /** When the statement was made; default: now. */
  readonly created_at?: string | undefined;
}

export type NewNuggets = readonly NewNugget[];

export interface NewPolicy {
  /** At most 200 characters. */
  readonly name: string;
  /** At most 5000 characters. */
  readonly description?: string | null | undefined;
  /** A disabled policy applies to no scan. */
  readonly enabled?: boolean | undefined;
  /**
   * `enforce`: decides on scans. `monitor`: changes no verdict; each scan records what the policy
   * would have decided.
   */
  readonly mode?: 'enforce' | 'monitor' | undefined;
  /** Whether it applies to scans that name no policies. Not used where `keyIds` are given. */
  readonly default?: boolean | undefined;
  /**
   * Binds the policy to these API keys: it applies to all of their scans, also to those that name
   * other policies, and to scans of other keys only when they name it. Null for no binding. At most
   * 200.
   */
  readonly keyIds?: readonly string[] | null | undefined;
  /**
   * The first rule that matches a finding decides on it; what no rule matches is allowed. At most
   * 200.
   */
  readonly rules: readonly NewPolicyRule[];
}

export interface NewPolicyRule {
  /** At most 100 characters. */
  readonly stage: string;
  /** The types of findings that it matches; default all types of the stage. At most 100. */
  readonly types?: readonly string[] | undefined;
  /**
   * From which value on it matches: with `types` that of the finding, without them the score of the
   * stage. Default 0.
   */
  readonly threshold?: number | undefined;
  /** What is done with what the rule matches. */
  readonly action: 'block' | 'redact' | 'flag' | 'allow';
}

export interface NewPortalToken {
  readonly capabilities: readonly PortalCapability[];
  /** Seconds for which the token is valid, 60 to 86400; default 3600. 60 to 86400. */
  readonly expires_in_seconds?: number | undefined;
  /**
   * The only webhooks that the token may use; it then creates none. Default: all of the
   * organization. At most 100.
   */
  readonly webhookIds?: readonly string[] | undefined;
}

export interface NewProtectedText {
  /** At most 200 characters. */
  readonly name: string;
  /**
   * `text`: must not be repeated, also with changes or in an encoding. `canary`: a token that must
   * never appear.
   */
  readonly kind?: 'text' | 'canary' | undefined;
  /** At most 100000 characters. */
  readonly text: string;
}

export interface NewWebhook {
  /**
   * An https URL with a public address. For development, an http URL with a loopback address and
   * port that the egress setting of the server names. At most 2048 characters.
   */
  readonly url: string;
  /** Repeated types count once. */
  readonly events: readonly WebhookEventType[];
  /** At creation default `standard`. */
  readonly format?: 'standard' | 'slack' | undefined;
  /** Default true. */
  readonly active?: boolean | undefined;
  /** The most deliveries that begin within a second; null for no limit. */
  readonly rateLimit?: number | null | undefined;
  /**
   * Whether deliveries are sent one at a time in the order of their events; one that fails holds the
   * later ones until it ends. At creation default false.
   */
  readonly ordered?: boolean | undefined;
}

export interface NewWebhookRecovery {
  /** Inclusive; ISO 8601 with an offset. ISO 8601, UTC. */
  readonly since: string;
  /** Exclusive; default and latest: now. ISO 8601, UTC. */
  readonly until?: string | undefined;
}

export interface NewWebhookReplay {
  /** Inclusive; ISO 8601 with an offset. ISO 8601, UTC. */
  readonly since: string;
  /** Exclusive; default and latest: now. ISO 8601, UTC. */
  readonly until?: string | undefined;
  /** Of those that the webhook lists; default: all of them. */
  readonly types?: readonly WebhookEventType[] | undefined;
}

export interface Nugget {
  readonly id: string;
  readonly claim: string;
  readonly source_url: string;
  readonly category: string | null;
  readonly confidence: number | null;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  /** ISO 8601, UTC. */
  readonly updated_at: string;
}

export interface NuggetChanges {
  /** A statement that is taken for true. At most 4000 characters. */
  readonly claim?: string | undefined;
  /** Where it comes from. At most 2048 characters. */
  readonly source_url?: string | undefined;
  /** In the organization's own words. At most 200 characters. */
  readonly category?: string | null | undefined;
  /** A number from 0 to 1, or `low` (0.3), `medium` (0.6), `high` (0.9). */
  readonly confidence?: number | string | null | undefined;
}

export interface Obligation {
  readonly id: string;
  readonly framework:
    | 'EU AI Act'
    | 'EU harmonised standards (draft)'
    | 'NIST AI RMF'
    | 'NIST AI 600-1'
    | 'NIST COSAiS (draft)'
    | 'ISO 42001'
    | 'SOC 2';
  /** How the framework is cited. */
  readonly source: string;
  /** Article, clause or number in the framework. */
  readonly reference: string;
  /** The subject in our words, not the text of the framework. */
  readonly title: string;
  readonly keywords: readonly string[];
  /** The date from which it applies; null where the framework sets none. ISO 8601 date. */
  readonly appliesFrom: string | null;
  /** Later dates for parts of what it is about. */
  readonly transitions: readonly {
    readonly scope: string;
    /** ISO 8601 date. */
    readonly appliesFrom: string;
  }[];
  /** Whose duty it is; empty where the framework does not say so in these terms. */
  readonly role: readonly ('provider' | 'deployer' | 'importer' | 'distributor' | 'gpai')[];
  /** The classes of AI systems that it is about; null for all. */
  readonly riskClasses:
    | readonly ('prohibited' | 'high' | 'limited' | 'minimal' | 'gpai' | 'gpai_systemic')[]
    | null;
  readonly amendedBy: string | null;
  /** Set while the text is not final. */
  readonly status: {
    readonly stage: 'draft' | 'enquiry';
    /** ISO 8601 date. */
    readonly since: string | null;
  } | null;
  /** Whether number and dates were held against the source, or a library made from it. */
  readonly checked: boolean;
  /** Records about it, supporting and adverse. */
  readonly evidenceCount: number;
  /** Records that support it. */
  readonly supportingCount: number;
  /** Records of failures, such as a failed red-team test; they do not support it. */
  readonly adverseCount: number;
  readonly newestEvidence: {
    /** UUID. */
    readonly id: string;
    readonly title: string;
    /** ISO 8601, UTC. */
    readonly createdAt: string;
    /** `adverse` where a failure links the record to the obligation. */
    readonly stance: 'supporting' | 'adverse';
  } | null;
}

export interface ObligationLink {
  readonly obligationId: string;
  readonly framework:
    | 'EU AI Act'
    | 'EU harmonised standards (draft)'
    | 'NIST AI RMF'
    | 'NIST AI 600-1'
    | 'NIST COSAiS (draft)'
    | 'ISO 42001'
    | 'SOC 2';
  readonly reference: string;
  readonly title: string;
  /** `adverse` where a failure links the record to the obligation. */
  readonly stance: 'supporting' | 'adverse';
}

export interface OpenInvoicePdfQuery {
  /** At most 20 characters; default "". */
  readonly expires?: string | undefined;
  /** At most 100 characters; default "". */
  readonly signature?: string | undefined;
}

export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  readonly plan: 'free' | 'starter' | 'professional' | 'enterprise';
  readonly members_count: number;
  readonly gateway_instances: number;
  readonly sentinel_agents: number;
  readonly description: string | null;
  readonly website: string | null;
  readonly timezone: string;
  readonly settings: {
    readonly sso_enabled: boolean;
    readonly sso_provider: string | null;
    readonly ip_allowlist: readonly string[];
    readonly data_residency: string | null;
  };
}

export interface OrganizationBrief {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
}

export interface OrganizationChanges {
  /** At most 100 characters. */
  readonly name?: string | undefined;
  /** At most 100 characters. */
  readonly timezone?: string | undefined;
  readonly settings?:
    | {
        /** IP addresses and CIDR networks, at most 200; an empty list allows every address. */
        readonly ip_allowlist?: readonly string[] | undefined;
      }
    | undefined;
}

export interface OrganizationSummary {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  readonly plan: 'free' | 'starter' | 'professional' | 'enterprise';
  readonly members_count: number;
  readonly gateway_instances: number;
  readonly sentinel_agents: number;
}

export interface OscalCatalog {
  readonly catalog: {
    /** Version 5: the same for the same obligations. UUID. */
    readonly uuid: string;
    readonly metadata: {
      readonly title: string;
      /** ISO 8601, UTC. */
      readonly 'last-modified': string;
      readonly version: string;
      readonly 'oscal-version': string;
      readonly remarks: string;
    };
    readonly groups: readonly {
      readonly id: string;
      readonly class: string;
      readonly title: string;
      readonly props: readonly OscalProperty[];
      readonly controls: readonly OscalControl[];
    }[];
  };
}

export interface OscalControl {
  /** The id of the obligation. */
  readonly id: string;
  readonly class: string;
  readonly title: string;
  readonly props: readonly OscalProperty[];
  readonly parts: readonly {
    readonly id: string;
    readonly name: string;
    readonly prose: string;
  }[];
}

export interface OscalProperty {
  readonly name: string;
  readonly ns?: string | undefined;
  readonly value: string;
  readonly class?: string | undefined;
}

export interface PasswordChange {
  /** At most 4096 characters. */
  readonly current_password: string;
  /**
   * 8 to 1024 characters, neither the e-mail address nor one of the most common passwords. At most
   * 4096 characters.
   */
  readonly new_password: string;
}

export interface PasswordReset {
  /** At most 100 characters. */
  readonly token: string;
  /**
   * 8 to 1024 characters, neither the e-mail address nor one of the most common passwords. At most
   * 4096 characters.
   */
  readonly password: string;
}

export interface PasswordResetRequest {
  /** E-mail address; at most 254 characters. */
  readonly email: string;
}

export interface PlatformError {
  readonly error:
    | 'invalid_request'
    | 'unauthorized'
    | 'forbidden'
    | 'not_found'
    | 'method_not_allowed'
    | 'conflict'
    | 'precondition_failed'
    | 'payload_too_large'
    | 'unsupported_media_type'
    | 'rate_limited'
    | 'server_error'
    | 'not_implemented'
    | 'service_unavailable';
  readonly message: string;
  /** The HTTP status of the response. 400 to 599. */
  readonly code: number;
  readonly details?: readonly FieldError[] | undefined;
  readonly request_id: string;
}

export interface Policy {
  readonly id: string;
  readonly version: number;
  /** At most 200 characters. */
  readonly name: string;
  /** At most 5000 characters. */
  readonly description: string | null;
  /** A disabled policy applies to no scan. */
  readonly enabled: boolean;
  /**
   * `enforce`: decides on scans. `monitor`: changes no verdict; each scan records what the policy
   * would have decided.
   */
  readonly mode: 'enforce' | 'monitor';
  /** Whether it applies to scans that name no policies. Not used where `keyIds` are given. */
  readonly default: boolean;
  /**
   * Binds the policy to these API keys: it applies to all of their scans, also to those that name
   * other policies, and to scans of other keys only when they name it. Null for no binding. At most
   * 200.
   */
  readonly keyIds: readonly string[] | null;
  /** The first rule that matches a finding decides on it; what no rule matches is allowed. */
  readonly rules: readonly PolicyRule[];
  /** Null for a policy that the organization started with and has not changed. ISO 8601, UTC. */
  readonly createdAt: string | null;
  /** Null where `createdAt` is. ISO 8601, UTC. */
  readonly updatedAt: string | null;
}

export interface PolicyChanges {
  /** At most 200 characters. */
  readonly name?: string | undefined;
  /** At most 5000 characters. */
  readonly description?: string | null | undefined;
  /** A disabled policy applies to no scan. */
  readonly enabled?: boolean | undefined;
  /**
   * `enforce`: decides on scans. `monitor`: changes no verdict; each scan records what the policy
   * would have decided.
   */
  readonly mode?: 'enforce' | 'monitor' | undefined;
  /** Whether it applies to scans that name no policies. Not used where `keyIds` are given. */
  readonly default?: boolean | undefined;
  /**
   * Binds the policy to these API keys: it applies to all of their scans, also to those that name
   * other policies, and to scans of other keys only when they name it. Null for no binding. At most
   * 200.
   */
  readonly keyIds?: readonly string[] | null | undefined;
  /**
   * The first rule that matches a finding decides on it; what no rule matches is allowed. At most
   * 200.
   */
  readonly rules?: readonly NewPolicyRule[] | undefined;
}

export interface PolicyRule {
  /** At most 100 characters. */
  readonly stage: string;
  /** The types of findings that it matches; default all types of the stage. At most 100. */
  readonly types?: readonly string[] | undefined;
  /**
   * From which value on it matches: with `types` that of the finding, without them the score of the
   * stage. Default 0.
   */
  readonly threshold?: number | undefined;
  /** What is done with what the rule matches. */
  readonly action: 'block' | 'redact' | 'flag' | 'allow';
}

export interface PolicyVersion {
  readonly policyId: string;
  readonly version: number;
  /** At most 200 characters. */
  readonly name: string;
  /** At most 5000 characters. */
  readonly description: string | null;
  /** A disabled policy applies to no scan. */
  readonly enabled: boolean;
  /**
   * `enforce`: decides on scans. `monitor`: changes no verdict; each scan records what the policy
   * would have decided.
   */
  readonly mode: 'enforce' | 'monitor';
  /** Whether it applies to scans that name no policies. Not used where `keyIds` are given. */
  readonly default: boolean;
  /**
   * Binds the policy to these API keys: it applies to all of their scans, also to those that name
   * other policies, and to scans of other keys only when they name it. Null for no binding. At most
   * 200.
   */
  readonly keyIds: readonly string[] | null;
  /** The first rule that matches a finding decides on it; what no rule matches is allowed. */
  readonly rules: readonly PolicyRule[];
  /** The member who made the version; null for one that the organization started with. */
  readonly memberId: string | null;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
}

export interface PolicyViolatedEvent {
  readonly id: string;
  readonly type: 'policy.violated';
  /** ISO 8601, UTC. */
  readonly timestamp: string;
  readonly data: {
    readonly policyId: string;
    readonly violationReason: string;
    readonly scanId: string;
    readonly action: string;
  };
}

/**
 * - `view`: list and get webhooks, event types and statistics
 * - `endpoint`: create, change, turn on and delete webhooks
 * - `secret`: see the secret of a new webhook, and replace it
 * - `attempts`: list deliveries with their bodies, send them again, replay, recover, send tests
 */
export type PortalCapability = 'view' | 'endpoint' | 'secret' | 'attempts';

export interface PortalToken {
  readonly id: string;
  /** The member who made it. */
  readonly memberId: string;
  readonly capabilities: readonly PortalCapability[];
  /** Null for all of the organization. */
  readonly webhookIds: readonly string[] | null;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** ISO 8601, UTC. */
  readonly expiresAt: string;
}

export interface PortkeyGuardrailAnswer {
  /** False where a policy blocks. */
  readonly verdict: boolean;
  readonly data: {
    readonly reason: string | null;
    readonly scanId: string | null;
  };
  /** The whole request or response with values replaced; present where a policy redacts. */
  readonly transformedData?:
    | {
        readonly request?:
          | {
              readonly json: unknown;
              readonly text: string;
            }
          | undefined;
        readonly response?:
          | {
              readonly json: unknown;
              readonly text: string;
            }
          | undefined;
      }
    | undefined;
}

export type PortkeyGuardrailRequest = {
  readonly eventType: 'beforeRequestHook' | 'afterRequestHook';
  /** The request to the model: its body, and the text of its last message. */
  readonly request?:
    | ({
        readonly json?: unknown | undefined;
        readonly text?: string | null | undefined;
      } & Readonly<Record<string, unknown>>)
    | null
    | undefined;
  /** The response of the model, after the request. */
  readonly response?:
    | ({
        readonly json?: unknown | undefined;
        readonly text?: string | null | undefined;
      } & Readonly<Record<string, unknown>>)
    | null
    | undefined;
  /** At most 100 characters. */
  readonly requestType?: string | null | undefined;
  /** At most 100 characters. */
  readonly provider?: string | null | undefined;
} & Readonly<Record<string, unknown>>;

export interface ProtectedText {
  readonly id: string;
  readonly name: string;
  /**
   * `text`: must not be repeated, also with changes or in an encoding. `canary`: a token that must
   * never appear.
   */
  readonly kind: 'text' | 'canary';
  /** Of the text in UTF-16 code units. */
  readonly length: number;
  /** SHA-256 of the text in lower-case hex. At most 64 characters. */
  readonly hash: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** ISO 8601, UTC. */
  readonly updatedAt: string;
}

export interface ProtectedTextChanges {
  /** At most 200 characters. */
  readonly name?: string | undefined;
  /** At most 100000 characters. */
  readonly text?: string | undefined;
}

export interface ProviderTrend {
  readonly provider: string;
  /** Another label of the same provider is another system; null where it has none. */
  readonly providerLabel: string | null;
  readonly runs: number;
  readonly successes: number;
  readonly failures: number;
  /** Tests that did not run. */
  readonly errors: number;
  /** Successes by all tests, those that did not run included; null where there was none. */
  readonly passRate: number | null;
  /** ISO 8601, UTC. */
  readonly oldestAt: string;
  /** ISO 8601, UTC. */
  readonly newestAt: string;
}

export interface PublicCertificate {
  readonly id: string;
  /** `revoked` also where it has expired since. Only `valid` stands for the content. */
  readonly state: 'valid' | 'expired' | 'revoked';
  readonly organizationId: string;
  /** Hash of the UTF-8 of the content, in lower-case hex. */
  readonly contentHash: string;
  /** The algorithm of the hash. */
  readonly algorithm: 'sha-256';
  /** ISO 8601, UTC. */
  readonly issuedAt: string;
  /** ISO 8601, UTC. */
  readonly expiresAt: string;
  /** ISO 8601, UTC. */
  readonly revokedAt: string | null;
  /** `kid` of the signing key in `/.well-known/jwks.json`. */
  readonly keyId: string;
  /** The signed certificate: a JWS in compact form, signed with Ed25519 (`EdDSA`). */
  readonly jws: string;
}

export interface QuotaUse {
  readonly limit: number;
  readonly used: number;
}

export interface ReadProtectedText {
  readonly id: string;
  readonly name: string;
  /**
   * `text`: must not be repeated, also with changes or in an encoding. `canary`: a token that must
   * never appear.
   */
  readonly kind: 'text' | 'canary';
  /** Of the text in UTF-16 code units. */
  readonly length: number;
  /** SHA-256 of the text in lower-case hex. At most 64 characters. */
  readonly hash: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** ISO 8601, UTC. */
  readonly updatedAt: string;
  /** At most 100000 characters. */
  readonly text: string;
}

export interface RecoveryCodes {
  readonly recovery_codes: readonly string[];
}

export interface RestoreRequest {
  /** A text with tokens, such as the answer of a model; required unless messages are given. */
  readonly text?: string | undefined;
  /** Messages with tokens, also in the arguments of tool calls, in place of a text. */
  readonly messages?: readonly Message[] | undefined;
  /** The `redactionMap` that the scan returned. */
  readonly redactionMap: string;
}

export type RestoredContent = RestoredText | RestoredMessages;

export interface RestoredMessages {
  readonly messages: readonly Message[];
}

export interface RestoredText {
  readonly text: string;
}

export interface Retention {
  /**
   * `eu-ai-act` allows no term below 184 days, as Articles 19 and 26(6) of Regulation (EU) 2024/1689
   * ask for logs of six months; shorter terms are lengthened when it is set.
   */
  readonly preset: 'standard' | 'eu-ai-act';
  /**
   * Days after which records of scans with personal-data findings are deleted; at most `scansDays`.
   * 1 to 3650.
   */
  readonly scansWithPersonalDataDays: number;
  /** Days after which records of all scans are deleted; null keeps those without personal data. */
  readonly scansDays: number | null;
  /**
   * Days after its resolution at which an alert is deleted with its comments and history; null keeps
   * them.
   */
  readonly resolvedAlertsDays: number | null;
}

export interface RetentionChanges {
  /**
   * `eu-ai-act` allows no term below 184 days, as Articles 19 and 26(6) of Regulation (EU) 2024/1689
   * ask for logs of six months; shorter terms are lengthened when it is set.
   */
  readonly preset?: 'standard' | 'eu-ai-act' | undefined;
  /**
   * Days after which records of scans with personal-data findings are deleted; at most `scansDays`.
   * 1 to 3650.
   */
  readonly scansWithPersonalDataDays?: number | undefined;
  /** Days after which records of all scans are deleted; null keeps those without personal data. */
  readonly scansDays?: number | null | undefined;
  /**
   * Days after its resolution at which an alert is deleted with its comments and history; null keeps
   * them.
   */
  readonly resolvedAlertsDays?: number | null | undefined;
}

export interface RevokeWebhookPortalTokensQuery {
  readonly id?: string | undefined;
  readonly memberId?: string | undefined;
}

export interface Role {
  readonly id: 'owner' | 'admin' | 'editor' | 'member' | 'viewer';
  readonly name: string;
  readonly description: string;
  readonly permissions: readonly string[];
}

export interface RotatedWebhook {
  readonly id: string;
  readonly url: string;
  readonly events: readonly WebhookEventType[];
  /**
   * The format of the body of a delivery: `standard` is the envelope of the event, `slack` a message
   * for Slack, with `text` and `blocks`.
   */
  readonly format: 'standard' | 'slack';
  readonly active: boolean;
  /** The most deliveries that begin within a second; null for no limit. */
  readonly rateLimit: number | null;
  readonly ordered: boolean;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /**
   * Time at which failing deliveries disabled the webhook; null while it is not disabled. ISO 8601,
   * UTC.
   */
  readonly disabledAt: string | null;
  readonly disabledReason: string | null;
  /** Reasons for which its deliveries will probably be refused, each with the remedy; mostly empty. */
  readonly warnings: readonly string[];
  /** Key of the delivery signatures; returned only in this response. */
  readonly secret: string;
  /** When the last former secret stops signing; null when none signs. ISO 8601, UTC. */
  readonly overlapEndsAt: string | null;
}

export interface Routing {
  readonly severities: readonly ('low' | 'medium' | 'high' | 'critical')[];
  readonly category?: string | undefined;
  readonly subcategory?: string | undefined;
  readonly team_id?: string | undefined;
  readonly channel_id?: string | undefined;
  readonly chat_id?: string | undefined;
}

export interface Scan {
  readonly id: string;
  readonly verdict: 'allowed' | 'flagged';
  readonly scores: Scores;
  /**
   * Result of each stage. not_covered: the stage cannot judge these texts, for example because of
   * their language; one with another status than ok has not examined all of the text.
   */
  readonly stages: readonly StageResult[];
  /** At most 1000 findings; the most severe ones when there are more. */
  readonly findings: readonly Finding[];
  /** Number of all findings; present only when not all are listed. */
  readonly findingCount?: number | undefined;
  /**
   * The texts, or the messages in their own shape, with placeholders; present only when a policy
   * redacts. Numbers that are replaced become strings.
   */
  readonly redacted?:
    | {
        readonly prompt: string | null;
        readonly response: string;
      }
    | {
        readonly messages: readonly Message[];
      }
    | undefined;
  /**
   * Parts of messages without a text that could be scanned, such as images; at most 1,000, absent
   * without any.
   */
  readonly skipped?: readonly SkippedPart[] | undefined;
  /** The ids of `policies`. */
  readonly policyIds: readonly string[];
  /** The tokens with their values, sealed for `POST /governance/restore`; present only with tokens. */
  readonly redactionMap?: string | undefined;
  /** The policies that were applied, in the versions that judged the scan. */
  readonly policies: readonly AppliedPolicy[];
  /**
   * What policies in the mode `monitor` would have decided: the verdict, and why they would have
   * blocked or redacted.
   */
  readonly monitored: readonly MonitoredDecision[];
  readonly durationMs: number;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
}

export interface ScanBatch {
  readonly id: string;
  readonly kind: 'batch';
  /** `completed` once every item has a result; `canceled` by a call before that. */
  readonly status: 'running' | 'completed' | 'canceled';
  /** Number of items. */
  readonly total: number;
  /** Items that wait, or are being scanned. */
  readonly pending: number;
  readonly allowed: number;
  readonly flagged: number;
  readonly blocked: number;
  /** Items that could not be scanned. */
  readonly errors: number;
  readonly canceled: number;
  readonly memberId: string;
  readonly keyId: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** Null while it is running. ISO 8601, UTC. */
  readonly endedAt: string | null;
}

export interface ScanBatchDetail {
  readonly id: string;
  readonly kind: 'batch';
  /** `completed` once every item has a result; `canceled` by a call before that. */
  readonly status: 'running' | 'completed' | 'canceled';
  /** Number of items. */
  readonly total: number;
  /** Items that wait, or are being scanned. */
  readonly pending: number;
  readonly allowed: number;
  readonly flagged: number;
  readonly blocked: number;
  /** Items that could not be scanned. */
  readonly errors: number;
  readonly canceled: number;
  readonly memberId: string;
  readonly keyId: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** Null while it is running. ISO 8601, UTC. */
  readonly endedAt: string | null;
  /** All items by index. `GET /governance/scans/{batch_id}/items` has their findings. */
  readonly results: readonly ScanBatchResult[];
}

export interface ScanBatchItem {
  /** Index in the list that was submitted. */
  readonly index: number;
  readonly status: 'pending' | 'completed' | 'failed' | 'canceled';
  /** The record of its scan; null where it was not scanned. */
  readonly scanId: string | null;
  readonly verdict: 'allowed' | 'flagged' | 'blocked' | null;
  /** Why it could not be scanned. */
  readonly error: {
    /** A code of the API, such as `VALIDATION_ERROR`. */
    readonly code: string;
    readonly message: string;
    readonly details?:
      | readonly {
          readonly field: string;
          readonly message: string;
        }[]
      | undefined;
  } | null;
  /** Null where it was not scanned, and once the record was deleted. */
  readonly scan: ScanRecord | null;
}

export interface ScanBatchItemRequest {
  /** The prompt sent to the model; null is the same as absent. */
  readonly prompt?: string | null | undefined;
  /**
   * The response of the model; required unless messages are given. An empty one scans the prompt
   * alone.
   */
  readonly response?: string | null | undefined;
  /**
   * A conversation in place of prompt and response, the oldest message first: at most 10000 messages
   * with at most 100000 texts.
   */
  readonly messages?: readonly Message[] | null | undefined;
  /** Retrieved passages, in the order given to the model. */
  readonly context?: string | readonly string[] | null | undefined;
  /**
   * Ids of the policies to apply; by default the organization's default policies. Those bound to the
   * calling key apply in any case, and so do the default ones, unless the caller has the permission
   * `policies:write`. Disabled ones never apply; if none of the policies is enforced, the scan is
   * refused. At most 100.
   */
  readonly policyIds?: readonly string[] | null | undefined;
  /** The AI system that the scan is about; stored as it is given. UUID. */
  readonly aiSystemId?: string | null | undefined;
  /** Custom tags stored with the scan; must not hold content of prompts or responses. */
  readonly metadata?: Readonly<Record<string, string | number | boolean>> | null | undefined;
}

export interface ScanBatchRequest {
  /** What is scanned, each as by `POST /governance/scan`. At most 1000. */
  readonly items: readonly ScanBatchItemRequest[];
}

export interface ScanBatchResult {
  /** Index in the list that was submitted. */
  readonly index: number;
  readonly status: 'pending' | 'completed' | 'failed' | 'canceled';
  /** The record of its scan; null where it was not scanned. */
  readonly scanId: string | null;
  readonly verdict: 'allowed' | 'flagged' | 'blocked' | null;
  /** Why it could not be scanned. */
  readonly error: {
    /** A code of the API, such as `VALIDATION_ERROR`. */
    readonly code: string;
    readonly message: string;
    readonly details?:
      | readonly {
          readonly field: string;
          readonly message: string;
        }[]
      | undefined;
  } | null;
}

export interface ScanBlockedEvent {
  readonly error: {
    readonly code: 'INJECTION_ATTEMPT_DETECTED' | 'PII_DETECTED' | 'POLICY_BLOCKED';
    readonly message: string;
    readonly statusCode: 403;
    readonly requestId: string;
  };
  readonly governance: {
    readonly verdict: 'blocked';
    readonly policy_id: string;
    /** Null where a stage that fails closed blocks without a policy. */
    readonly policy_version: number | null;
    readonly violation_reason: string;
    readonly scan_id: string;
    readonly scores: Scores;
    /**
     * Result of each stage. not_covered: the stage cannot judge these texts, for example because of
     * their language; one with another status than ok has not examined all of the text.
     */
    readonly stages: readonly StageResult[];
    /** At most 1000 findings; the most severe ones when there are more. */
    readonly findings: readonly Finding[];
    /** Number of all findings; present only when not all are listed. */
    readonly findingCount?: number | undefined;
    /**
     * Parts of messages without a text that could be scanned, such as images; at most 1,000, absent
     * without any.
     */
    readonly skipped?: readonly SkippedPart[] | undefined;
    /** The policies that were applied, in the versions that judged the scan. */
    readonly policies: readonly AppliedPolicy[];
    /**
     * What policies in the mode `monitor` would have decided: the verdict, and why they would have
     * blocked or redacted.
     */
    readonly monitored: readonly MonitoredDecision[];
  };
  readonly event: 'final';
}

export interface ScanCompletedEvent {
  readonly id: string;
  readonly type: 'scan.completed';
  /** ISO 8601, UTC. */
  readonly timestamp: string;
  readonly data: {
    readonly scanId: string;
    readonly total: number;
    readonly allowed: number;
    readonly flagged: number;
    readonly blocked: number;
    readonly errors: number;
  };
}

export interface ScanErrorEvent {
  readonly event: 'error';
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly statusCode: number;
    readonly details?:
      | readonly {
          readonly field: string;
          readonly message: string;
        }[]
      | undefined;
    readonly requestId: string;
  };
}

export interface ScanFindingEvent {
  readonly stage: string;
  readonly type: string;
  /** Confidence that the type of the finding is correct. */
  readonly score: number;
  readonly field: 'response' | 'messages';
  /**
   * Place of the text in `messages`, as in JavaScript: `[2].content[0].text`. Where a text is JSON,
   * as the arguments of a tool call, it goes on within its value:
   * `[3].tool_calls[0].function.arguments["home address"]`. In names of members found characters are
   * replaced by `*`. Present only when field is messages.
   */
  readonly path?: string | undefined;
  /** Index of the statement in the knowledge base; present only for truth stages. */
  readonly nugget?: number | undefined;
  /** Id of the statement; absent when it has none. */
  readonly nuggetId?: string | undefined;
  /**
   * Offset of the start, in UTF-16 code units of the field as sent, or of the text at `path`; of a
   * number, of its digits.
   */
  readonly start: number;
  /** Offset after the end, likewise. */
  readonly end: number;
  readonly event: 'finding';
}

export type ScanOrBatch = ScanRecord | ScanBatchDetail;

export interface ScanPassedEvent {
  readonly data: Scan;
  readonly event: 'final';
}

export interface ScanRecord {
  readonly id: string;
  readonly kind: 'single';
  readonly verdict: 'allowed' | 'flagged' | 'blocked';
  readonly scores: Scores;
  /** At most 1000 findings; the most severe ones when there are more. */
  readonly findings: readonly Finding[];
  /** Number of all findings, listed or not. */
  readonly findingCount: number;
  /** The policies that were applied, in the versions that judged the scan. */
  readonly policies: readonly AppliedPolicy[];
  /**
   * What policies in the mode `monitor` would have decided: the verdict, and why they would have
   * blocked or redacted.
   */
  readonly monitored: readonly MonitoredDecision[];
  /** Why the scan was blocked; null where it was not. */
  readonly violation: {
    readonly policyId: string;
    readonly code: 'INJECTION_ATTEMPT_DETECTED' | 'PII_DETECTED' | 'POLICY_BLOCKED';
    readonly reason: string;
  } | null;
  /** Stages that did not examine everything. */
  readonly unfinished: readonly string[];
  readonly metadata: Readonly<Record<string, string | number | boolean>>;
  /** UUID. */
  readonly aiSystemId: string | null;
  readonly memberId: string;
  readonly keyId: string;
  /** SHA-256 in lower-case hex. At most 64 characters. */
  readonly promptHash: string | null;
  /** Null for messages. At most 64 characters. */
  readonly responseHash: string | null;
  /** Of the JSON array of the passages. At most 64 characters. */
  readonly contextHash: string | null;
  /** Of the JSON array of the messages. At most 64 characters. */
  readonly messagesHash: string | null;
  readonly durationMs: number;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
}

export interface ScanReleaseEvent {
  readonly event: 'release';
  /** The next text that may be passed on, with replacements. */
  readonly text: string;
}

export interface ScanRequest {
  /** The prompt sent to the model; null is the same as absent. */
  readonly prompt?: string | null | undefined;
  /**
   * The response of the model; required unless messages are given. An empty one scans the prompt
   * alone.
   */
  readonly response?: string | null | undefined;
  /**
   * A conversation in place of prompt and response, the oldest message first: at most 10000 messages
   * with at most 100000 texts.
   */
  readonly messages?: readonly Message[] | null | undefined;
  /** Retrieved passages, in the order given to the model. */
  readonly context?: string | readonly string[] | null | undefined;
  /**
   * Ids of the policies to apply; by default the organization's default policies. Those bound to the
   * calling key apply in any case, and so do the default ones, unless the caller has the permission
   * `policies:write`. Disabled ones never apply; if none of the policies is enforced, the scan is
   * refused. At most 100.
   */
  readonly policyIds?: readonly string[] | null | undefined;
  /**
   * What takes the place of redacted values: a numbered `placeholder` (default), a `mask` of the
   * same shape, or a `token` that `POST /governance/restore` turns back into the value.
   */
  readonly redaction?: 'placeholder' | 'mask' | 'token' | null | undefined;
  /** The AI system that the scan is about; stored as it is given. UUID. */
  readonly aiSystemId?: string | null | undefined;
  /** Custom tags stored with the scan; must not hold content of prompts or responses. */
  readonly metadata?: Readonly<Record<string, string | number | boolean>> | null | undefined;
}

export type ScanStreamEvent =
  | ScanReleaseEvent
  | ScanFindingEvent
  | ScanPassedEvent
  | ScanBlockedEvent
  | ScanErrorEvent;

export interface ScanStreamRequest {
  /** The prompt sent to the model; null is the same as absent. */
  readonly prompt?: string | null | undefined;
  /**
   * A conversation in place of prompt and response, the oldest message first: at most 10000 messages
   * with at most 100000 texts.
   */
  readonly messages?: readonly Message[] | null | undefined;
  /** Retrieved passages, in the order given to the model. */
  readonly context?: string | readonly string[] | null | undefined;
  /**
   * Ids of the policies to apply; by default the organization's default policies. Those bound to the
   * calling key apply in any case, and so do the default ones, unless the caller has the permission
   * `policies:write`. Disabled ones never apply; if none of the policies is enforced, the scan is
   * refused. At most 100.
   */
  readonly policyIds?: readonly string[] | null | undefined;
  /**
   * What takes the place of redacted values: a numbered `placeholder` (default), a `mask` of the
   * same shape, or a `token` that `POST /governance/restore` turns back into the value.
   */
  readonly redaction?: 'placeholder' | 'mask' | 'token' | null | undefined;
  /** The AI system that the scan is about; stored as it is given. UUID. */
  readonly aiSystemId?: string | null | undefined;
  /** Custom tags stored with the scan; must not hold content of prompts or responses. */
  readonly metadata?: Readonly<Record<string, string | number | boolean>> | null | undefined;
  /**
   * `chat` releases text by the sentence as soon as nothing in it can still become a finding of
   * personal data.
   */
  readonly latency?: 'chat' | null | undefined;
  /** The response of the model; with messages it is the next one. */
  readonly response: string;
}

export interface ScimActivity {
  readonly requests: readonly ScimRequest[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  readonly has_more: boolean;
}

export interface ScimEnabling {
  /** Seconds for which the previous token stays valid, 0 to 604800; default 0. 0 to 604800. */
  readonly overlap_seconds?: number | undefined;
  /** Days until the token expires, 1 to 3650; by default it does not expire. 1 to 3650. */
  readonly expires_in_days?: number | undefined;
}

export interface ScimRequest {
  /** ISO 8601, UTC. */
  readonly time: string;
  readonly method: string;
  /** Path and query below the SCIM base URL. */
  readonly path: string;
  readonly status: number;
  /** What was wrong; null for a success. */
  readonly detail: string | null;
}

export interface ScimStatus {
  readonly enabled: boolean;
  readonly base_url: string;
  readonly token_prefix: string | null;
  /** ISO 8601, UTC. */
  readonly created_at: string | null;
  /** ISO 8601, UTC. */
  readonly expires_at: string | null;
  /** ISO 8601, UTC. */
  readonly last_used: string | null;
  /** Number of SCIM users; null where it is not known. */
  readonly user_count: number | null;
  /** Number of SCIM groups; null where it is not known. */
  readonly group_count: number | null;
}

/**
 * Null when the stage is disabled, or did not finish and had found nothing. Further members are
 * the scores of further stages.
 */
export type Scores = {
  readonly pii: number | null;
  readonly injection: number | null;
  readonly toxicity: number | null;
  readonly hallucination: number | null;
  /** Probability of a contradiction to the knowledge base; present when the check is enabled. */
  readonly truth?: number | null | undefined;
  /** Probability that protected text is repeated; present when the check is enabled. */
  readonly contamination?: number | null | undefined;
} & Readonly<Record<string, number | null>>;

export interface SearchNuggetsQuery {
  /** 1 to 200; default 50. */
  readonly limit?: number | undefined;
  /** Default 0. */
  readonly offset?: number | undefined;
  /** A statement or a question. At most 1000 characters. */
  readonly q: string;
  /** The category, as it was given. At most 200 characters. */
  readonly category?: string | undefined;
}

export interface SecretRotation {
  /**
   * Seconds for which former secrets sign beside the new one, 0 to 604800; default 86400. 0 to
   * 604800.
   */
  readonly overlap_seconds?: number | undefined;
}

export interface ServiceStatus {
  readonly apiVersion: string;
  readonly status: 'operational' | 'degraded' | 'maintenance';
  /** ISO 8601, UTC. */
  readonly lastMaintenance: string | null;
}

export interface Session {
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  /** Accurate to 15 minutes. ISO 8601, UTC. */
  readonly last_used: string;
  /** ISO 8601, UTC. */
  readonly expires_at: string;
  readonly address: string | null;
  readonly user_agent: string | null;
  readonly is_current: boolean;
}

export interface SignInCredentials {
  /** At most 254 characters. */
  readonly email: string;
  /** At most 4096 characters. */
  readonly password: string;
  /**
   * One-time password or recovery code; required when the second factor is enabled. At most 64
   * characters.
   */
  readonly otp?: string | null | undefined;
  /**
   * Required when the e-mail address and password match in several organizations. Without it the two
   * accounts of the e-mail address that signed in last are tried. At most 100 characters.
   */
  readonly organization_id?: string | null | undefined;
}

export interface SignedIn {
  /** JWT for the header Authorization: Bearer. */
  readonly access_token: string;
  readonly token_type: 'Bearer';
  /** Seconds until the access token expires. */
  readonly expires_in: number;
  /** Value of the header X-CSRF-Token for requests authenticated by cookie. */
  readonly csrf_token: string;
  readonly member: Member;
  readonly organization: OrganizationBrief;
}

export interface SkippedPart {
  readonly path: string;
  readonly type: string;
}

export interface StageResult {
  readonly name: string;
  readonly status: 'ok' | 'not_covered' | 'timeout' | 'failed' | 'cancelled' | 'not_reached';
  readonly durationMs: number;
}

export interface StoredEvent {
  readonly id: string;
  readonly type: WebhookEventType;
  /** ISO 8601, UTC. */
  readonly timestamp: string;
  /** Whether it is a test, which was sent to one webhook alone. */
  readonly test: boolean;
}

export interface StoredEventDetail {
  readonly id: string;
  readonly type: WebhookEventType;
  /** ISO 8601, UTC. */
  readonly timestamp: string;
  /** Whether it is a test, which was sent to one webhook alone. */
  readonly test: boolean;
  /** As the event type describes it. */
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Subscription {
  readonly id: string;
  readonly organization_id: string;
  readonly plan: 'free' | 'starter' | 'professional' | 'enterprise';
  readonly status: 'trialing' | 'active' | 'past_due' | 'canceled';
  /** ISO 8601, UTC. */
  readonly billing_cycle_start: string;
  /** ISO 8601, UTC. */
  readonly billing_cycle_end: string;
  /**
   * Price of one billing cycle, in minor units of the currency (cents for usd); 0 until a plan is
   * chosen.
   */
  readonly amount: number;
  readonly currency: string;
  readonly billing_email: string | null;
  readonly auto_renew: boolean;
  readonly features: {
    readonly gateway_instances: number;
    readonly sentinel_agents: number;
    readonly api_requests_per_month: number;
    readonly advanced_analytics: boolean;
    readonly custom_integrations: boolean;
  };
}

export interface SubscriptionChanges {
  readonly plan?: 'free' | 'starter' | 'professional' | 'enterprise' | undefined;
  readonly auto_renew?: boolean | undefined;
}

export interface SystemCoverage {
  /** Null for the evidence that is about no AI system. */
  readonly aiSystem: {
    /** UUID. */
    readonly id: string;
    readonly name: string;
    /**
     * As the organization classifies it under Regulation (EU) 2024/1689: `prohibited` (Article 5),
     * `high` (Article 6), `limited` (Article 50), `minimal`, `gpai` (a general-purpose model),
     * `gpai_systemic` (one with systemic risk); null while it is not classified.
     */
    readonly riskClass:
      | 'prohibited'
      | 'high'
      | 'limited'
      | 'minimal'
      | 'gpai'
      | 'gpai_systemic'
      | null;
  } | null;
  readonly obligations: readonly CoveredObligation[];
}

export interface UpdateOrganizationQuery {
  /** Accepts an IP allowlist without the caller's address when true, from an owner. Default false. */
  readonly force?: boolean | undefined;
}

export interface UsageReceipt {
  /** Minutes that are counted now. */
  readonly accepted: number;
  /** Minutes that had been reported before. */
  readonly repeated: number;
  /** Minutes before the last 90 days: not counted. */
  readonly expired: number;
  /** The quota of the current month; `used` may be above `limit`. */
  readonly gateway_scans: {
    readonly limit: number;
    readonly used: number;
  };
}

export interface UsageReport {
  readonly period: {
    /** First day of the month, in UTC. ISO 8601 date. */
    readonly start: string;
    /** Last day of the month, in UTC. ISO 8601 date. */
    readonly end: string;
  };
  readonly gateway_instances: QuotaUse;
  readonly sentinel_agents: QuotaUse;
  readonly api_requests: QuotaUse;
  readonly gateway_scans: QuotaUse;
  readonly storage_gb: QuotaUse;
}

export interface UsageWithdrawal {
  readonly kind: 'gateway' | 'sentinel';
  /**
   * The instance whose reports were wrong; default all instances of the kind. At most 200
   * characters.
   */
  readonly instance_id?: string | undefined;
  /** The first minute. ISO 8601, UTC. */
  readonly since: string;
  /** The end, at most 31 days later; this minute is not withdrawn. ISO 8601, UTC. */
  readonly until: string;
}

export interface UsageWithdrawalReceipt {
  /** Minutes that do not count any more. */
  readonly withdrawn: number;
  /** Their scans. */
  readonly scans: number;
}

export interface VerdictCounts {
  readonly allowed: number;
  readonly flagged: number;
  readonly blocked: number;
}

export interface Verification {
  /**
   * `contradicted` where a claim is; `verified` where there are claims and all are supported; else
   * `unverified`.
   */
  readonly verdict: 'verified' | 'contradicted' | 'unverified';
  readonly claims: readonly VerifiedClaim[];
  /** Present where `certify` was asked for and nothing spoke against it. */
  readonly certificate?: Certificate | undefined;
  /** Present where `certify` was asked for and there is no certificate. */
  readonly certificateRefusal?: CertificateRefusal | undefined;
}

export interface VerificationRequest {
  /** 1 to 20,000 UTF-16 code units with at most 200 claims; not stored. */
  readonly content: string;
  /**
   * Issues a certificate if the knowledge base supports every claim; needs the permission
   * `certificates:write`. Default false.
   */
  readonly certify?: boolean | undefined;
  /** Days until the certificate expires; default 365. Only with `certify`. 1 to 3650. */
  readonly expiresInDays?: number | undefined;
}

export interface VerifiedClaim {
  readonly text: string;
  /** In UTF-16 code units of the content, half-open. */
  readonly start: number;
  readonly end: number;
  /** `unknown` where the knowledge base says neither, or the language is not covered. */
  readonly status: 'supported' | 'contradicted' | 'unknown';
  /** How far claim and nearest nugget are about the same. */
  readonly similarity: number;
  /** The nugget that decided; of an unknown claim the nearest ones, three at most. */
  readonly nuggets: readonly ClaimNugget[];
}

export interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly events: readonly WebhookEventType[];
  /**
   * The format of the body of a delivery: `standard` is the envelope of the event, `slack` a message
   * for Slack, with `text` and `blocks`.
   */
  readonly format: 'standard' | 'slack';
  readonly active: boolean;
  /** The most deliveries that begin within a second; null for no limit. */
  readonly rateLimit: number | null;
  readonly ordered: boolean;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /**
   * Time at which failing deliveries disabled the webhook; null while it is not disabled. ISO 8601,
   * UTC.
   */
  readonly disabledAt: string | null;
  readonly disabledReason: string | null;
  /** Reasons for which its deliveries will probably be refused, each with the remedy; mostly empty. */
  readonly warnings: readonly string[];
}

export interface WebhookChanges {
  /**
   * An https URL with a public address. For development, an http URL with a loopback address and
   * port that the egress setting of the server names. At most 2048 characters.
   */
  readonly url?: string | undefined;
  /** Repeated types count once. */
  readonly events?: readonly WebhookEventType[] | undefined;
  /** At creation default `standard`. */
  readonly format?: 'standard' | 'slack' | undefined;
  /** True also clears disabledAt and disabledReason. */
  readonly active?: boolean | undefined;
  /** The most deliveries that begin within a second; null for no limit. */
  readonly rateLimit?: number | null | undefined;
  /**
   * Whether deliveries are sent one at a time in the order of their events; one that fails holds the
   * later ones until it ends. At creation default false.
   */
  readonly ordered?: boolean | undefined;
}

/**
 * - `alert.created`: A scan found personal data or a hallucination, or violated a policy.
 * - `alert.resolved`: An alert was resolved manually.
 * - `correction.deployed`: A correction of a claim was published.
 * - `certification.issued`: A certificate was issued for content.
 * - `certification.revoked`: A certificate was revoked.
 * - `policy.violated`: A policy blocked or redacted the content of a scan.
 * - `scan.completed`: A batch of scans finished.
 */
export type WebhookEventType =
  | 'alert.created'
  | 'alert.resolved'
  | 'correction.deployed'
  | 'certification.issued'
  | 'certification.revoked'
  | 'policy.violated'
  | 'scan.completed';

export interface WebhookReplay {
  readonly id: string;
  /** failed: of deliveries that were failed or held. */
  readonly kind: 'all' | 'failed';
  readonly status: 'running' | 'completed' | 'canceled' | 'stopped' | 'failed';
  /** The number of events; null while they are counted. */
  readonly total: number | null;
  /** Events that were sent, or were pending already. */
  readonly done: number;
  /** ISO 8601, UTC. */
  readonly since: string;
  /** ISO 8601, UTC. */
  readonly until: string;
  /** Null for all. */
  readonly types: readonly string[] | null;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** ISO 8601, UTC. */
  readonly endedAt: string | null;
}

export interface WebhookStats {
  readonly last24Hours: AttemptSummary;
  readonly last7Days: AttemptSummary;
  /** Each hour of the 7 days, oldest first. */
  readonly hours: readonly AttemptSummary[];
}

export interface WebhookTest {
  /** Default: the first event type of the webhook. */
  readonly type?: WebhookEventType | undefined;
}

/** The data of the events that webhooks deliver, by type. */
export interface ProbityEvents {
  'alert.created': AlertCreatedEvent['data'];
  'alert.resolved': AlertResolvedEvent['data'];
  'correction.deployed': CorrectionDeployedEvent['data'];
  'certification.issued': CertificationIssuedEvent['data'];
  'certification.revoked': CertificationRevokedEvent['data'];
  'policy.violated': PolicyViolatedEvent['data'];
  'scan.completed': ScanCompletedEvent['data'];
}
