import { forEachBlock, isWorthCheckpoints } from '../for-each-block.ts';
import type { PiiType } from '../risk.ts';
import { createRiskTally } from '../risk.ts';
import type { PreparedText, TextBlock } from '../text/prepared-text.ts';
import { eachText } from '../text/prepared-text.ts';
import type { StageContext } from '../types.ts';
import { findBankAccount } from './bank-account.ts';
import type { Candidate, PiiDetector } from './candidate.ts';
import { MIN_SCORE, resolveOverlaps } from './candidate.ts';
import { findCreditCard } from './credit-card.ts';
import { createCueReader } from './cues.ts';
import { findEmail } from './email.ts';
import type { ExceptionTest } from './exceptions.ts';
import { findIpAddress } from './ip-address.ts';
import type { NationalIdType } from './national/index.ts';
import { createNationalDetectors } from './national/index.ts';
import { findPassport } from './passport.ts';
import { createPhoneDetector } from './phone-number.ts';
import { findSsn } from './ssn.ts';

const WITHOUT_DIGIT: ReadonlySet<string> = new Set(['email', 'ip_address', 'passport']);
const DIGITS = /\d/;

function createDetectors(): ReadonlyMap<PiiType, PiiDetector> {
  return new Map<PiiType, PiiDetector>([
    ['ssn', findSsn],
    ['credit_card', findCreditCard],
    ['phone_number', createPhoneDetector()],
    ['email', findEmail],
    ['passport', findPassport],
    ['ip_address', findIpAddress],
    ['bank_account', findBankAccount],
  ]);
}

/** Reports the enabled and the listed optional types of personal data that are not exempt. */
export function scanPii(
  context: StageContext,
  enabled: ReadonlySet<PiiType>,
  isExempt: ExceptionTest,
  listed: ReadonlySet<string> = new Set(),
): Promise<void> | undefined {
  const detectors = [
    ...[...createDetectors()].filter(([type]) => enabled.has(type)),
    ...createNationalDetectors(listed),
  ];
  const tally = createRiskTally();
  context.setScore(tally.risk());
  return forEachBlock(context, function* visit(block, { field, contextIndex }) {
    const found: Candidate[] = [];
    for (const text of eachText(block)) yield* collect(text, block, detectors, isExempt, found);
    const place = contextIndex === undefined ? { field } : { field, contextIndex };
    for (const { type, start, end, score, reason } of resolveOverlaps(found)) {
      context.report({ type, start, end, score, reason, ...place });
      tally.add({ type, score });
    }
    context.setScore(tally.risk());
  });
}

/** The personal data that begins in a block's own part, offsets in the original field. */
function* collect(
  prepared: PreparedText,
  block: TextBlock,
  detectors: readonly (readonly [PiiType | NationalIdType, PiiDetector])[],
  isExempt: ExceptionTest,
  found: Candidate[],
): Generator<void> {
  const { text, range } = prepared.normalized;
  const digits = DIGITS.test(text);
  const seen: Candidate[] = [];
  const take = (candidate: Candidate): void => {
    const { type, start, end, score, reason } = candidate;
    if (score < MIN_SCORE) return;
    seen.push(candidate);
    const place = range(start, end);
    if (place.start < block.ownedStart || place.start >= block.ownedEnd) return;
    if (isExempt(text.slice(start, end))) return;
    found.push({ type, start: place.start, end: place.end, score, reason });
  };
  const cues = createCueReader(text);
  for (const [type, detect] of detectors) {
    if (!digits && !WITHOUT_DIGIT.has(type)) continue;
    for (const candidate of detect(text, cues)) take(candidate);
    if (isWorthCheckpoints(text)) yield;
  }
  if (!digits || seen.length === 0) return;
  // Beside another number a telephone number may have been taken for a part of it.
  const detectPhone = detectors.find(([type]) => type === 'phone_number')?.[1];
  if (detectPhone === undefined) return;
  const rest = withoutFound(text, resolveOverlaps(seen));
  for (const candidate of detectPhone(rest, createCueReader(rest))) take(candidate);
}

/** A text of the same length with line ends in place of what was found. */
function withoutFound(text: string, found: readonly Candidate[]): string {
  let rest = '';
  let copied = 0;
  for (const { start, end } of found) {
    rest += text.slice(copied, start) + '\n'.repeat(end - start);
    copied = end;
  }
  return rest + text.slice(copied);
}
