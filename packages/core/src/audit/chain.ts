import { hash } from 'node:crypto';
import type { AuditEntry, NewAuditEntry } from './types.ts';

/** The place of an entry in its organization's chain. */
export interface ChainPosition {
  readonly sequence: number;
  readonly previousHash: string;
}

/** The entry at its place in the chain, with its hash. */
export function chainEntry(entry: NewAuditEntry, position: ChainPosition): AuditEntry {
  return { ...entry, ...position, hash: hashOf(entry, position) };
}

/** Where a chain is broken. */
export interface ChainFault {
  readonly sequence: number;
  /** `added`: it stands before the checkpoint, where everything was removed. */
  readonly reason: 'changed' | 'missing' | 'added';
}

/**
 * The first fault of consecutive entries, or null. `last` is the entry before them (or the
 * checkpoint that retention left); null at the start of the chain.
 */
export function findChainFault(
  entries: readonly AuditEntry[],
  last: Pick<AuditEntry, 'sequence' | 'hash'> | null,
): ChainFault | null {
  let sequence = last?.sequence ?? 0;
  let previousHash = last?.hash ?? '';
  for (const entry of entries) {
    sequence += 1;
    if (entry.sequence < sequence) return { sequence: entry.sequence, reason: 'added' };
    if (entry.sequence > sequence) return { sequence, reason: 'missing' };
    const isUnchanged =
      entry.previousHash === previousHash &&
      entry.hash === hashOf(entry, { sequence, previousHash });
    if (!isUnchanged) return { sequence, reason: 'changed' };
    previousHash = entry.hash;
  }
  return null;
}

/** A fault where the entry that the head names is not the one it was; null elsewhere. */
export function findHeadFault(
  entries: readonly AuditEntry[],
  head: Pick<AuditEntry, 'sequence' | 'hash'> | null,
): ChainFault | null {
  const entry = entries.find(({ sequence }) => sequence === head?.sequence);
  if (!entry || entry.hash === head?.hash) return null;
  return { sequence: entry.sequence, reason: 'changed' };
}

function hashOf(entry: NewAuditEntry, { sequence, previousHash }: ChainPosition): string {
  const { id, organizationId, action, actor, target, before, after } = entry;
  const facts = [
    ...[sequence, previousHash, id, organizationId, action],
    ...[actor.type, actor.id, actor.credentialId, target.type, target.id],
    ...[before, after, entry.address, entry.requestId, entry.createdAt.getTime()],
  ];
  return hash('sha256', JSON.stringify(facts));
}
