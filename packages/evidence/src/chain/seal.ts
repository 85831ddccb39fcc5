import type { SecretBox } from '@probity/core';
import type { ChainPlace } from '@probity/core/internal';
import type { EvidenceHead, SealedEnd } from './types.ts';

/** The purpose that the end of an organization's chain is sealed for. */
export function chainPurpose(organizationId: string): string {
  return `evidence:${organizationId}`;
}

/**
 * The head that follows `former`, sealed where there is a secret box. A seal that is missing or does not fit the
 * former head stays recorded in `brokenAt` of all later ones: otherwise the next node would hide that the chain
 * was changed.
 */
export function nextHead(
  secretBox: SecretBox | undefined,
  former: EvidenceHead | null,
  head: Omit<EvidenceHead, 'sealed'>,
): EvidenceHead {
  if (!secretBox) return { ...head, sealed: null };
  const { organizationId, sequence, hash, removedThrough } = head;
  const proof = proofAfter(secretBox, former, head);
  const recordedAt = head.recordedAt.getTime();
  const end: SealedEnd = { sequence, hash, removedThrough, recordedAt, ...proof };
  return { ...head, sealed: secretBox.seal(JSON.stringify(end), chainPurpose(organizationId)) };
}

function proofAfter(
  secretBox: SecretBox,
  former: EvidenceHead | null,
  { sequence }: ChainPlace,
): Pick<SealedEnd, 'sealedFrom' | 'brokenAt'> {
  const next = (former?.sequence ?? 0) + 1;
  // A change of the head alone, by retention, appends no node.
  const at = Math.min(next, sequence);
  if (!former?.sealed) return { sealedFrom: at, brokenAt: null };
  const end = openEnd(secretBox, former);
  if (end) return { sealedFrom: end.sealedFrom, brokenAt: end.brokenAt };
  return { sealedFrom: at, brokenAt: at };
}

/** What was sealed of the head; null when it has no seal, or one that does not fit it. */
export function openEnd(secretBox: SecretBox, head: EvidenceHead): SealedEnd | null {
  if (head.sealed === null || !isCanonical(head.sealed)) return null;
  try {
    const opened = secretBox.open(head.sealed, chainPurpose(head.organizationId));
    const end = JSON.parse(opened) as SealedEnd;
    const isSame =
      end.sequence === head.sequence &&
      end.hash === head.hash &&
      end.removedThrough === head.removedThrough &&
      end.recordedAt === head.recordedAt.getTime();
    return isSame ? end : null;
  } catch {
    return null;
  }
}

/** Whether the last part is the only text for its bytes: base64 ignores some bits of the last character. */
function isCanonical(sealed: string): boolean {
  const encoded = sealed.split('.').at(-1) ?? '';
  return Buffer.from(encoded, 'base64url').toString('base64url') === encoded;
}
