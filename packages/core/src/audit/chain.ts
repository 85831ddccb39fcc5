import { hash } from 'node:crypto';
import type { ChainFault, ChainPlace, ChainPosition } from '../crypto/hash-chain.ts';
import { findChainFault, toLink } from '../crypto/hash-chain.ts';
import type { AuditEntry, NewAuditEntry } from './types.ts';

/** The entry at its place in its organization's chain, with its hash. */
export function chainEntry(entry: NewAuditEntry, position: ChainPosition): AuditEntry {
  return toLink(entry, position, hashEntry);
}

/** The first fault of consecutive entries behind `last`, or null. */
export function findAuditFault(
  entries: readonly AuditEntry[],
  last: ChainPlace | null,
): ChainFault | null {
  return findChainFault(entries, last, hashEntry);
}

/** SHA-256 in hex of an entry's facts and its position. Stored hashes depend on the exact form. */
export function hashEntry(entry: NewAuditEntry, { sequence, previousHash }: ChainPosition): string {
  const { id, organizationId, action, actor, target, before, after } = entry;
  const facts = [
    ...[sequence, previousHash, id, organizationId, action],
    ...[actor.type, actor.id, actor.credentialId, target.type, target.id],
    ...[before, after, entry.address, entry.requestId, entry.createdAt.getTime()],
  ];
  return hash('sha256', JSON.stringify(facts));
}
