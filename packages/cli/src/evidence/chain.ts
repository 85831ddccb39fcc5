import { hash } from 'node:crypto';

/** A record as a line of an export has it. */
interface ExportedRecord {
  readonly salt: string;
  readonly evidenceType: string;
  readonly source: string;
  readonly title: string;
  readonly content: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** ISO 8601, or null. */
  readonly occurredAt: string | null;
  readonly aiSystemId: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly obligationIds: readonly string[];
}

/** A line of an export: a node of the organization's chain with its record. */
export interface ExportedNode {
  /** 1, 2, 3, … without gaps. */
  readonly sequence: number;
  /** Hash of the node before; empty for the first. */
  readonly previousHash: string;
  /** SHA-256, in hex, as are all hashes. */
  readonly hash: string;
  readonly id: string;
  readonly organizationId: string;
  /** The id of the record whose AI system and labels this node replaces; null for the node of a record. */
  readonly amends: string | null;
  readonly idempotencyKey: string | null;
  readonly contentHash: string;
  readonly linksHash: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /**
   * Null for a record that retention has removed. Null for amendments, unless they were made during the export: then the
   * record as it is after it.
   */
  readonly record: ExportedRecord | null;
}

/** Where a chain is broken, and how. */
interface ChainFault {
  readonly sequence: number;
  readonly reason: 'changed' | 'missing' | 'added';
}

/** What the verification of a file gives. */
export interface ChainVerification {
  readonly valid: boolean;
  /** Nodes before the fault, or all. */
  readonly nodes: number;
  /** Records that were compared with their nodes. */
  readonly records: number;
  /** The records up to this sequence are not in the file; 0 when all are. */
  readonly removedThrough: number;
  readonly fault: ChainFault | null;
  /** The last node: with a copy of it from another time, a chain that was made anew is found. */
  readonly end: { readonly sequence: number; readonly hash: string } | null;
}

/** A node as a file has it. */
export interface ReadNode {
  readonly node: ExportedNode;
  /** Whether its line is as an export writes it: hashes cover values, of which there may be several notations. */
  readonly isAsWritten: boolean;
}

/** Verifies nodes in their order; holds three hashes for each record. */
export interface ChainVerifier {
  /** @returns whether the chain is intact so far; nodes after a fault are not looked at */
  add(read: ReadNode): boolean;
  finish(): ChainVerification;
}

/** The form of what is hashed is that of the server; stored hashes depend on it exactly. */
function sha256(facts: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(facts));
}

function timeOf(time: string | null): number | null {
  return time === null ? null : new Date(time).getTime();
}

function contentHashOf(record: ExportedRecord): string {
  const { salt, evidenceType, source, title, content, metadata, occurredAt } = record;
  return sha256([salt, evidenceType, source, title, content, metadata, timeOf(occurredAt)]);
}

function linksHashOf({ salt, aiSystemId, labels, obligationIds }: ExportedRecord): string {
  const pairs = Object.keys(labels)
    .sort()
    .map((name) => [name, labels[name]]);
  return sha256([salt, aiSystemId, pairs, [...obligationIds].sort()]);
}

function nodeHashOf(node: ExportedNode): string {
  const { sequence, previousHash, organizationId, id, amends, idempotencyKey } = node;
  return sha256([
    ...[sequence, previousHash, organizationId, id, amends, idempotencyKey],
    ...[node.contentHash, node.linksHash, timeOf(node.createdAt)],
  ]);
}

/** Creates a verifier of one organization's chain, from its first node to the last of the file. */
export function createChainVerifier(): ChainVerifier {
  let end: ChainVerification['end'] = null;
  let organizationId: string | null = null;
  let fault: ChainFault | null = null;
  let removedThrough = 0;
  const records = new Map<string, RecordLinks>();

  function faultOf({ node, isAsWritten }: ReadNode): ChainFault['reason'] | null {
    const { sequence, hash: previousHash } = end ?? { sequence: 0, hash: '' };
    if (node.sequence > sequence + 1) return 'missing';
    if (node.sequence <= sequence) return 'added';
    organizationId ??= node.organizationId;
    const isNode =
      isAsWritten &&
      node.previousHash === previousHash &&
      node.organizationId === organizationId &&
      node.hash === nodeHashOf(node);
    if (!isNode) return 'changed';
    return node.amends === null ? recordFault(node) : amendmentFault(node, node.amends);
  }

  function recordFault({ id, sequence, contentHash, linksHash, record }: ExportedNode) {
    if (record === null) {
      // Retention removes the oldest records first.
      if (records.size > 0) return 'missing';
      removedThrough = sequence;
      return null;
    }
    if (contentHashOf(record) !== contentHash) return 'changed';
    records.set(id, { sequence, contentHash, found: linksHashOf(record), proven: linksHash });
    return null;
  }

  function amendmentFault({ linksHash, record }: ExportedNode, id: string) {
    const amended = records.get(id);
    if (record !== null) {
      if (contentHashOf(record) !== amended?.contentHash) return 'changed';
      amended.found = linksHashOf(record);
    }
    if (amended) amended.proven = linksHash;
    return null;
  }

  return {
    add(read) {
      const { node } = read;
      const reason = fault === null ? faultOf(read) : null;
      if (reason !== null) {
        const expected = (end?.sequence ?? 0) + 1;
        fault = { sequence: reason === 'missing' ? expected : node.sequence, reason };
      }
      if (fault === null) end = { sequence: node.sequence, hash: node.hash };
      return fault === null;
    },
    finish() {
      const changed = [...records.values()].find(({ found, proven }) => found !== proven);
      if (fault === null && changed) fault = { sequence: changed.sequence, reason: 'changed' };
      const nodes = end?.sequence ?? 0;
      const counts = { nodes, records: records.size, removedThrough };
      return { valid: fault === null, ...counts, fault, end };
    },
  };
}

/** The hashes of a record's links: of those that the file has, and of those that the chain proves. */
interface RecordLinks {
  readonly sequence: number;
  readonly contentHash: string;
  /** Of the last line that has the record. */
  found: string;
  /** Of the last amendment. */
  proven: string;
}
