import { MAY_BE_UNSEEN } from '../text/unseen.ts';
import type { TextRange } from '../types.ts';

/** How much of a stream is held back. UTF-16 units. */
export interface HoldBack {
  /** What is passed on has at least so many units after it that were scanned with it. */
  readonly holdBack: number;
  /** Nothing is held back longer than until so many units follow it. */
  readonly maxHoldBack: number;
}

/** Whether what follows a finding can no longer change it, or has been waited for long enough. */
export function isSettled(
  { start, end }: TextRange,
  received: number,
  { holdBack, maxHoldBack }: HoldBack,
): boolean {
  return end + holdBack <= received || start + maxHoldBack <= received;
}

/**
 * Up to where a text may be passed on: not within `holdBack` of its end, not into a finding that is
 * not settled yet, not into a run of letters and digits at its end that may become an encoded
 * payload, and not into the middle of a finding or of a surrogate pair.
 *
 * @param tail the end of the text, at least `maxHoldBack` units where there are so many
 * @param received length of the whole text
 * @param open findings that are not settled
 * @param settled findings that are, near the end
 * @param sentences where whole sentences end that may be passed on before `holdBack` units follow; 0 for none
 */
export function releasePoint(
  tail: string,
  received: number,
  open: readonly TextRange[],
  settled: readonly TextRange[],
  limits: HoldBack,
  sentences = 0,
): number {
  const run = received - runLength(tail, limits.maxHoldBack);
  const earliest = received - limits.maxHoldBack;
  const behind = Math.min(received - limits.holdBack, Math.max(run, earliest));
  let point = Math.max(behind, sentences);
  for (const { start } of open) point = Math.min(point, start);
  const across = [...settled].sort((a, b) => b.start - a.start);
  for (const { start, end } of across) if (start < point && point < end) point = start;
  const low = tail.charCodeAt(tail.length - (received - point));
  return Math.max(0, low >= 0xdc00 && low <= 0xdfff ? point - 1 : point);
}

/** Length of the run at the end of a text that has only signs of encodings (base64, hex, percent, signs that show nothing). */
function runLength(text: string, limit: number): number {
  let length = 0;
  while (length < limit && isRunSign(text.charCodeAt(text.length - 1 - length))) length++;
  return length;
}

function isRunSign(code: number): boolean {
  if (code > 0x20 && code < 0x7f) return true;
  if (code < 0x180e) return false;
  if (code === 0xdb40 || (code >= 0xdc20 && code <= 0xdc7f)) return true;
  // The low halves of U+E0100 to U+E01EF.
  if (code >= 0xdd00 && code <= 0xddef) return true;
  return MAY_BE_UNSEEN.test(String.fromCharCode(code));
}
