/** A scan in the audit table. All values are plain, so that rows can be sent to another process. */
export interface AuditScanRow {
  readonly kind: 'scan';
  /** `aud_…`; a row that is written twice is stored once. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly createdAtMs: number;
  readonly requestId: string;
  /** Name of the API key. */
  readonly clientId: string;
  /** For whom the scan was; null where the caller did not say. */
  readonly userId: string | null;
  readonly address: string | null;
  readonly result: 'allowed' | 'flagged' | 'redacted' | 'blocked' | 'bypassed' | 'error';
  /** Whether a stage did not come to its end. */
  readonly isDegraded: boolean;
  /** Whether personal data was found. */
  readonly isPersonal: boolean;
  readonly durationMs: number;
  readonly configHash: string;
  /** Why it was blocked, bypassed or failed; null for the others. */
  readonly reason: string | null;
  /** Findings and scores; never a text that was scanned. */
  readonly detail: AuditScanDetail;
}

/** What was scanned on its way to a model or an MCP server, or back. */
export type ScanSubject =
  | {
      readonly kind: 'model';
      readonly of: 'request' | 'answer';
      /** `provider/model`; absent where Envoy has routed the call. */
      readonly model?: string;
    }
  | {
      readonly kind: 'mcp';
      readonly of: 'client' | 'server';
      /** The key of `mcp.servers`. */
      readonly server: string;
      /** `response` for one. */
      readonly method: string;
      /** Of a call of a tool, and of its answer where that came with the call. */
      readonly tool?: string;
    };

/** What is recorded of what was found. */
interface AuditScanDetail {
  /** Absent of texts that were sent to be scanned. */
  readonly about?: ScanSubject;
  readonly scores: Readonly<Record<string, number | null>>;
  readonly findings: readonly AuditFinding[];
  /** Findings that are not listed. */
  readonly omitted: number;
}

/** A finding: where and what it is, and of personal data a keyed hash or a mask of the value. */
export interface AuditFinding {
  readonly stage: string;
  readonly type: string;
  readonly score: number;
  readonly field: string;
  readonly start: number;
  readonly end: number;
  /** `hmac-sha256:` and 64 hexadecimal digits, or the value with all but its end masked. */
  readonly value?: string;
}

/** What administrators do, and what allowlists let through: links of a hash chain. */
export interface AuditAct {
  readonly kind: 'act';
  readonly id: string;
  readonly createdAtMs: number;
  readonly requestId: string | null;
  /** Name of the API key, or `system`. */
  readonly actor: string;
  readonly address: string | null;
  readonly action:
    | 'config.reloaded'
    | 'key.added'
    | 'key.changed'
    | 'key.removed'
    | 'scan.bypassed'
    | 'user.erased';
  readonly configHash: string;
  /** Nothing that names a person: what is chained cannot be erased. */
  readonly detail: Readonly<Record<string, unknown>>;
}

/** A row of the audit table. */
export type AuditRow = AuditScanRow | AuditAct;

/**
 * Takes rows off the path of requests. A process that has no writer of its own sends them to the one that has.
 */
export interface AuditSink {
  write(rows: readonly AuditRow[]): void;
  /** Writes rows, and what waits before them, at once; false where the database does not answer: they wait then. */
  writeNow(rows: readonly AuditRow[]): Promise<boolean>;
}
