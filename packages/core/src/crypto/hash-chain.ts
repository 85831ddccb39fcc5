/** Position of a link in its chain. */
export interface ChainPosition {
  /** 1, 2, 3, … without gaps. */
  readonly sequence: number;
  /** Hash of the previous link; empty for the first. */
  readonly previousHash: string;
}

/**
 * One link of a hash chain. Each link contains the hash of its predecessor, so that changing or
 * removing a link is detectable.
 */
export interface ChainLink extends ChainPosition {
  readonly hash: string;
}

/** Sequence and hash of a link: the head of a chain, or the checkpoint that a removal left. */
export type ChainPlace = Pick<ChainLink, 'sequence' | 'hash'>;

/** Position and kind of a break in a chain. */
export interface ChainFault {
  readonly sequence: number;
  /** `added`: a link precedes the checkpoint, where everything was removed. */
  readonly reason: 'changed' | 'missing' | 'added';
}

/** Hashes the content of a link together with its position. */
export type HashLink<Content> = (content: Content, position: ChainPosition) => string;

/** The position after `head`; the first position when there is no head. */
export function positionAfter(head: ChainPlace | null): ChainPosition {
  return { sequence: (head?.sequence ?? 0) + 1, previousHash: head?.hash ?? '' };
}

/** Returns the content as a link at its position. */
export function toLink<Content extends object>(
  content: Content,
  position: ChainPosition,
  hashLink: HashLink<Content>,
): Content & ChainLink {
  return { ...content, ...position, hash: hashLink(content, position) };
}

/**
 * Returns the first fault in consecutive links, or null. `last` is the link before them or the
 * checkpoint; null at the start of the chain.
 */
export function findChainFault<Link extends ChainLink>(
  links: readonly Link[],
  last: ChainPlace | null,
  hashLink: HashLink<Link>,
): ChainFault | null {
  let position = positionAfter(last);
  for (const link of links) {
    const { sequence, previousHash } = position;
    if (link.sequence < sequence) return { sequence: link.sequence, reason: 'added' };
    if (link.sequence > sequence) return { sequence, reason: 'missing' };
    const isUnchanged =
      link.previousHash === previousHash && link.hash === hashOrNull(link, position, hashLink);
    if (!isUnchanged) return { sequence, reason: 'changed' };
    position = positionAfter(link);
  }
  return null;
}

/** The hash; null for content that cannot be hashed, such as JSON nested too deeply: it was changed. */
function hashOrNull<Link>(
  link: Link,
  position: ChainPosition,
  hashLink: HashLink<Link>,
): string | null {
  try {
    return hashLink(link, position);
  } catch {
    return null;
  }
}

/** One stored chain, as verification reads it. */
export interface ChainSource<Link extends ChainLink> {
  /** The last link that was removed on purpose; null when none was removed. */
  findCheckpoint(): Promise<ChainPlace | null>;
  /** The last link recorded; null when there is none. */
  findHead(): Promise<ChainPlace | null>;
  /** Up to `limit` links after `sequence`, in order. */
  readLinks(sequence: number, limit: number): Promise<readonly Link[]>;
  readonly hashLink: HashLink<Link>;
  /** Whether a chain without links is intact. */
  readonly mayBeEmpty: boolean;
}

/** The result of a verification. */
export interface ChainVerification {
  /** Number of links verified before the fault, or of all links. */
  readonly links: number;
  /** Null when the chain is intact. */
  readonly fault: ChainFault | null;
}

const STEP = 500;

/**
 * Verifies a chain from its start, or from its checkpoint, to its head and reports the first link
 * that was changed, removed (also at the end), or inserted before the checkpoint. Links that are
 * recorded, or removed with a new checkpoint, during the verification are not faults.
 */
export async function verifyChain<Link extends ChainLink>(
  source: ChainSource<Link>,
): Promise<ChainVerification> {
  for (;;) {
    const checkpoint = await source.findCheckpoint();
    const verification = await walk(source, checkpoint);
    if (!verification.fault) return verification;
    // Links may be removed while verification runs; it then restarts from the new checkpoint.
    const present = await source.findCheckpoint();
    if (present?.sequence === checkpoint?.sequence) return verification;
  }
}

async function walk<Link extends ChainLink>(
  source: ChainSource<Link>,
  checkpoint: ChainPlace | null,
): Promise<ChainVerification> {
  const head = await source.findHead();
  let last = checkpoint;
  let links = 0;
  for (;;) {
    // The first step begins at the very start: no link may precede the checkpoint.
    const from = links === 0 ? 0 : (last?.sequence ?? 0);
    const step = await source.readLinks(from, STEP);
    const fault = findChainFault(step, last, source.hashLink) ?? findHeadFault(step, head);
    if (fault) {
      const verified = step.filter(({ sequence }) => sequence < fault.sequence).length;
      return { links: links + verified, fault };
    }
    links += step.length;
    last = step.at(-1) ?? last;
    if (step.length < STEP) return { links, fault: findEndFault(last, head, source.mayBeEmpty) };
  }
}

/** Returns a fault when a link differs from the head at the same sequence number; else null. */
function findHeadFault(links: readonly ChainLink[], head: ChainPlace | null): ChainFault | null {
  const link = links.find(({ sequence }) => sequence === head?.sequence);
  if (!link || link.hash === head?.hash) return null;
  return { sequence: link.sequence, reason: 'changed' };
}

/**
 * Returns a fault when the chain ends before its head, or the head is the checkpoint and differs.
 */
function findEndFault(
  last: ChainPlace | null,
  head: ChainPlace | null,
  mayBeEmpty: boolean,
): ChainFault | null {
  if (!last && !head && mayBeEmpty) return null;
  const reached = last?.sequence ?? 0;
  if (!head || reached < head.sequence) return { sequence: reached + 1, reason: 'missing' };
  const isOther = reached === head.sequence && last?.hash !== head.hash;
  return isOther ? { sequence: reached, reason: 'changed' } : null;
}
