import { checkRecord, checkSwitches } from '../config.ts';
import { forEachBlock, isWorthCheckpoints } from '../for-each-block.ts';
import { createRiskTally, PII_RISK, type PiiType } from '../risk.ts';
import { eachText, type PreparedText, type TextBlock } from '../text/prepared-text.ts';
import type { Stage, StageContext } from '../types.ts';
import { findBankAccount } from './bank-account.ts';
import { type Candidate, MIN_SCORE, type PiiDetector, resolveOverlaps } from './candidate.ts';
import { findCreditCard } from './credit-card.ts';
import { createCueReader } from './cues.ts';
import { findEmail } from './email.ts';
import { compileExceptions, type ExceptionTest } from './exceptions.ts';
import { findIpAddress } from './ip-address.ts';
import { findPassport } from './passport.ts';
import { createPhoneDetector } from './phone-number.ts';
import { findSsn } from './ssn.ts';

const TYPES = Object.keys(PII_RISK) as PiiType[];
const WITHOUT_DIGIT: ReadonlySet<PiiType> = new Set(['email', 'ip_address', 'passport']);
const DIGITS = /\d/;

/**
 * Makes the stage `pii_scanner`: personal data in prompt, response and context. Its score is the
 * combined risk.
 *
 * Options: `patterns`, an object of switches by type, each on by default; `exceptions`, a list of
 * values or expressions to ignore (see compileExceptions).
 *
 * @throws PipelineConfigError naming the option at fault
 */
export function createPiiStage(options: Readonly<Record<string, unknown>>, path: string): Stage {
  checkRecord(path, options, new Set(['patterns', 'exceptions']));
  const enabled = checkSwitches(`${path}.patterns`, options.patterns, TYPES);
  const isExempt = compileExceptions(`${path}.exceptions`, options.exceptions ?? []);
  return Object.freeze({
    name: 'pii_scanner',
    targets: ['prompt', 'response', 'context'],
    run: (context: StageContext) => scanFields(context, enabled, isExempt),
  } satisfies Stage);
}

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

function scanFields(
  context: StageContext,
  enabled: ReadonlySet<PiiType>,
  isExempt: ExceptionTest,
): Promise<void> | undefined {
  const detectors = [...createDetectors()].filter(([type]) => enabled.has(type));
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
  detectors: readonly (readonly [PiiType, PiiDetector])[],
  isExempt: ExceptionTest,
  found: Candidate[],
): Generator<void> {
  const { text, range } = prepared.normalized;
  const cues = createCueReader(text);
  const digits = DIGITS.test(text);
  for (const [type, detect] of detectors) {
    if (!digits && !WITHOUT_DIGIT.has(type)) continue;
    for (const { start, end, score, reason } of detect(text, cues)) {
      if (score < MIN_SCORE) continue;
      const place = range(start, end);
      if (place.start < block.ownedStart || place.start >= block.ownedEnd) continue;
      if (isExempt(text.slice(start, end))) continue;
      found.push({ type, start: place.start, end: place.end, score, reason });
    }
    if (isWorthCheckpoints(text)) yield;
  }
}
