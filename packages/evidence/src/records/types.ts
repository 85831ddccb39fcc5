/** JSON values by name. */
export type EvidenceMetadata = Readonly<Record<string, unknown>>;

/** A record to append, as an importer makes it. */
export interface NewEvidence {
  /** UUID (version 7). */
  readonly id: string;
  readonly organizationId: string;
  /** Kind of record: `evaltool_eval`. */
  readonly evidenceType: string;
  /** What made it: `evaltool`. */
  readonly source: string;
  readonly title: string;
  readonly content: string;
  readonly metadata: EvidenceMetadata;
  /** The AI system that it is about; null for none. */
  readonly aiSystemId: string | null;
  readonly labels: Readonly<Record<string, string>>;
  /** Ids of the obligations that it supports, without repetitions; stored in alphabetical order. */
  readonly obligationIds: readonly string[];
  /** A record with the key of an earlier one of the organization is left out. */
  readonly idempotencyKey: string;
  /** When what it reports happened; null where the source does not say. */
  readonly occurredAt: Date | null;
  /** When it is recorded. The chain's order is kept: it becomes that of the record before, if that is later. */
  readonly createdAt: Date;
}

/** A stored record. */
export interface Evidence extends NewEvidence {
  /** Its place in the organization's chain: 1, 2, 3, … */
  readonly sequence: number;
  /** Hash of its node, SHA-256 in hex. */
  readonly hash: string;
  /** 16 random bytes in hex, part of what is hashed: a removed text cannot be guessed from its hash. */
  readonly salt: string;
  /** The sequence of the node that last replaced its AI system and labels; null when none did. */
  readonly amendment: number | null;
}

/** The changes of a record; absent members stay as they are. */
export interface EvidenceChanges {
  /** Null removes the link. */
  readonly aiSystemId?: string | null | undefined;
  /** Replaces all labels. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

/** Filter of a list of records; all given conditions must hold. */
export interface EvidenceFilter {
  readonly aiSystemId?: string | undefined;
  readonly evidenceType?: string | undefined;
  /** Records that support at least one of these obligations. */
  readonly obligationIds?: readonly string[] | undefined;
  /** Records that have all of these labels, as pairs of name and value. */
  readonly labels?: ReadonlyArray<readonly [name: string, value: string]> | undefined;
  /** Inclusive, of the time of recording. */
  readonly since?: Date | undefined;
  /** Exclusive, of the time of recording. */
  readonly until?: Date | undefined;
  /** Text that the title or the content contains, without regard to the case of ASCII letters. */
  readonly q?: string | undefined;
}

/** The records of one AI system with the same obligations and the same stance on each. */
export interface EvidenceGroup {
  readonly aiSystemId: string | null;
  readonly obligationIds: readonly string[];
  /** The obligations on which the records are adverse. */
  readonly adverseIds: readonly string[];
  readonly count: number;
  /** The sequence of the newest. */
  readonly newest: number;
}
