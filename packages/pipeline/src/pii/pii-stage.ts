import { checkRecord, checkSwitches } from '../config.ts';
import { createFindingList } from '../finding-list.ts';
import { forEachBlock } from '../for-each-block.ts';
import { combinedPiiRisk, PII_RISK, type PiiType } from '../risk.ts';
import { eachText, type PreparedText, type TextBlock } from '../text/prepared-text.ts';
import type { PreparedField, Stage, StageContext, StageFinding, StageResult } from '../types.ts';
import { findBankAccount } from './bank-account.ts';
import { type Candidate, MIN_SCORE, type PiiDetector, resolveOverlaps } from './candidate.ts';
import { findCreditCard } from './credit-card.ts';
import { findEmail } from './email.ts';
import { compileExceptions, type ExceptionTest } from './exceptions.ts';
import { findIpAddress } from './ip-address.ts';
import { findPassport } from './passport.ts';
import { findPhoneNumber } from './phone-number.ts';
import { findSsn } from './ssn.ts';

const DETECTORS: Readonly<Record<PiiType, PiiDetector>> = {
  ssn: findSsn,
  credit_card: findCreditCard,
  phone_number: findPhoneNumber,
  email: findEmail,
  passport: findPassport,
  ip_address: findIpAddress,
  bank_account: findBankAccount,
};
const TYPES = Object.keys(PII_RISK) as PiiType[];
const WITHOUT_DIGIT: ReadonlySet<PiiType> = new Set(['email', 'ip_address']);
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

function scanFields(
  context: StageContext,
  enabled: ReadonlySet<PiiType>,
  isExempt: ExceptionTest,
): StageResult | Promise<StageResult> {
  const list = createFindingList<StageFinding>(context.maxFindings, () => 'pii_scanner');
  const pending = forEachBlock(context, (block, field) => {
    for (const found of scanBlock(block, enabled, isExempt)) list.add(toFinding(found, field));
  });
  const result = () => {
    const { findings, omitted } = list.finish();
    return { findings, omitted, score: combinedPiiRisk([...findings, ...omitted]) };
  };
  return pending === undefined ? result() : pending.then(result);
}

function toFinding(candidate: Candidate, { field, contextIndex }: PreparedField): StageFinding {
  return { ...candidate, field, ...(contextIndex === undefined ? {} : { contextIndex }) };
}

/** The personal data that begins in a block's own part, offsets in the original field. */
function scanBlock(
  block: TextBlock,
  enabled: ReadonlySet<PiiType>,
  isExempt: ExceptionTest,
): Candidate[] {
  const found: Candidate[] = [];
  for (const text of eachText(block)) collect(text, enabled, isExempt, found);
  if (found.length === 0) return found;
  const owned = found.filter(({ start }) => start >= block.ownedStart && start < block.ownedEnd);
  return resolveOverlaps(owned);
}

function collect(
  prepared: PreparedText,
  enabled: ReadonlySet<PiiType>,
  isExempt: ExceptionTest,
  found: Candidate[],
): void {
  const view = prepared.normalized;
  const digits = DIGITS.test(view.text);
  for (const type of enabled) {
    if (!digits && !WITHOUT_DIGIT.has(type)) continue;
    for (const candidate of DETECTORS[type](view.text)) {
      if (candidate.score < MIN_SCORE) continue;
      if (isExempt(view.text.slice(candidate.start, candidate.end))) continue;
      found.push({ ...candidate, ...view.range(candidate.start, candidate.end) });
    }
  }
}
