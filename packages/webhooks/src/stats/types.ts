/** The attempts of a webhook that began in one hour and took about as long. */
export interface AttemptCount {
  readonly webhookId: string;
  /** The beginning of the hour. */
  readonly hour: Date;
  /** Bucket of the duration, see `bucketOf`. */
  readonly bucket: number;
  readonly attempts: number;
  /** Those of them that succeeded. */
  readonly succeeded: number;
}

/** The attempts of a webhook in a period. */
export interface AttemptSummary {
  /** The beginning of the period, a full hour. */
  readonly since: Date;
  readonly attempts: number;
  readonly succeeded: number;
  /** From 0 to 1; null without attempts. */
  readonly successRate: number | null;
  /** Estimates, at most a tenth off; null without attempts. */
  readonly p50DurationMs: number | null;
  readonly p95DurationMs: number | null;
}

/** The attempts of a webhook of late, without those of tests. */
export interface AttemptStats {
  /** The present hour and the 23 before it. */
  readonly last24Hours: AttemptSummary;
  /** The present hour and the 167 before it. */
  readonly last7Days: AttemptSummary;
  /** Each of these 168 hours, oldest first. */
  readonly hours: readonly AttemptSummary[];
}
