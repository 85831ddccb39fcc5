import { hash } from 'node:crypto';

/**
 * The form of what is hashed of evidence. Stored hashes and exported files depend on it exactly. It uses
 * nothing but `node:crypto`, so that a file can be verified without a database.
 */

/** What of a record never changes. */
export interface HashedContent {
  /** Random, so that a removed text cannot be guessed from its hash. */
  readonly salt: string;
  readonly evidenceType: string;
  readonly source: string;
  readonly title: string;
  readonly content: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly occurredAt: Date | null;
}

/** What of a record an amendment replaces, and the obligations. */
export interface HashedLinks {
  readonly salt: string;
  readonly aiSystemId: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly obligationIds: readonly string[];
}

/** A node's content. */
export interface HashedNode {
  readonly id: string;
  readonly organizationId: string;
  readonly amends: string | null;
  readonly idempotencyKey: string | null;
  readonly contentHash: string;
  readonly linksHash: string;
  readonly createdAt: Date;
}

/** SHA-256, in hex, of what never changes in a record. */
export function hashContent(record: HashedContent): string {
  const { salt, evidenceType, source, title, content, metadata, occurredAt } = record;
  return sha256([salt, evidenceType, source, title, content, metadata, timeOf(occurredAt)]);
}

/** SHA-256, in hex, of the links of a record; the order of labels and obligations does not matter. */
export function hashLinks({ salt, aiSystemId, labels, obligationIds }: HashedLinks): string {
  const pairs = Object.keys(labels)
    .sort()
    .map((name) => [name, labels[name]]);
  return sha256([salt, aiSystemId, pairs, [...obligationIds].sort()]);
}

/** SHA-256, in hex, of a node at its place. */
export function hashNode(
  node: HashedNode,
  { sequence, previousHash }: { readonly sequence: number; readonly previousHash: string },
): string {
  const { organizationId, id, amends, idempotencyKey, contentHash, linksHash, createdAt } = node;
  return sha256([
    ...[sequence, previousHash, organizationId, id, amends, idempotencyKey],
    ...[contentHash, linksHash, timeOf(createdAt)],
  ]);
}

/** Milliseconds since 1970. */
function timeOf(time: Date | null): number | null {
  return time === null ? null : time.getTime();
}

function sha256(facts: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(facts));
}
