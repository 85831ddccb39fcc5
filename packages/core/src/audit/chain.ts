import { hash } from 'node:crypto';
import type { ChainFault, ChainPlace, ChainPosition } from '../crypto/hash-chain.ts';
import { findChainFault, toLink } from '../crypto/hash-chain.ts';
import type { AuditEntry, NewAuditEntry } from './types.ts';

/** Returns the entry with its sequence number and hash in the organization's chain. */
export function chainEntry(entry: NewAuditEntry, position: ChainPosition): AuditEntry {
  return toLink(entry, position, hashEntry);
}

/** Returns the first fault in consecutive entries that follow `last`, or null. */
export function findAuditFault(
  entries: readonly AuditEntry[],
  last: ChainPlace | null,
): ChainFault | null {
  return findChainFault(entries, last, hashEntry);
}

/** SHA-256, in hex, of an entry's content and position. Stored hashes depend on the exact form. */
export function hashEntry(entry: NewAuditEntry, { sequence, previousHash }: ChainPosition): string {
  const { id, organizationId, action, actor, target, before, after } = entry;
  const facts = [
    ...[sequence, previousHash, id, organizationId, action],
    ...[actor.type, actor.id, actor.credentialId, target.type, target.id],
    ...[before, after, entry.address, entry.requestId, entry.createdAt.getTime()],
  ];
  return hash('sha256', JSON.stringify(facts));
}
