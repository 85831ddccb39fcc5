import { checkRecord } from '../config.ts';
import { forEachBlock } from '../for-each-block.ts';
import { compileExceptions } from '../pii/exceptions.ts';
import { checkFraction } from '../stage-options.ts';
import { bestMatches } from '../text/best-matches.ts';
import type { PreparedText, TextBlock } from '../text/prepared-text.ts';
import { eachText } from '../text/prepared-text.ts';
import type { PreparedField, Stage, StageContext } from '../types.ts';
import { findSecrets } from './find-secrets.ts';
import type { FoundSecret } from './found-secret.ts';
import { endOfKey } from './private-keys.ts';
import type { SecretType } from './secret-row.ts';

/** The name of the stage in configurations and results. */
export const SECRETS_STAGE = 'secrets_scanner';

const TYPES: Readonly<Record<SecretType, true>> = {
  api_key: true,
  access_token: true,
  private_key: true,
  jwt: true,
  connection_string: true,
  webhook_url: true,
};
/** The types that the stage reports. */
export const SECRET_TYPES: readonly SecretType[] = Object.freeze(
  Object.keys(TYPES) as SecretType[],
);
const OPTIONS: ReadonlySet<string> = new Set(['exceptions', 'minScore']);

/**
 * Makes the stage `secrets_scanner`: keys, tokens and passwords in prompt, response and context. Its
 * score is the largest confidence.
 *
 * Options: `exceptions`, values or expressions that are not reported, as for `pii_scanner`;
 * `minScore`, 0 to 1, default 0: less certain findings are not reported.
 *
 * @throws PipelineConfigError naming the option at fault
 */
export function createSecretsStage(
  options: Readonly<Record<string, unknown>>,
  path: string,
): Stage {
  checkRecord(path, options, OPTIONS);
  const isExempt = compileExceptions(`${path}.exceptions`, options.exceptions ?? []);
  const minScore = checkFraction(`${path}.minScore`, options.minScore ?? 0);
  return Object.freeze({
    name: SECRETS_STAGE,
    targets: ['prompt', 'response', 'context'],
    run: (context: StageContext) =>
      scanSecrets(context, (value, score) => score >= minScore && !isExempt(value)),
  } satisfies Stage);
}

type Admission = (value: string, score: number) => boolean;

function scanSecrets(context: StageContext, isAdmitted: Admission): Promise<void> | undefined {
  let largest = 0;
  context.setScore(0);
  return forEachBlock(context, (block, field) => {
    const found: FoundSecret[] = [];
    for (const text of eachText(block)) collect(text, block, field, isAdmitted, found);
    const { contextIndex } = field;
    const index = contextIndex === undefined ? {} : { contextIndex };
    for (const secret of bestMatches(found)) {
      context.report({ ...secret, field: field.field, ...index });
      largest = Math.max(largest, secret.score);
    }
    context.setScore(largest);
    return undefined;
  });
}

/** The secrets that begin in a block's own part, offsets in the original field. */
function collect(
  prepared: PreparedText,
  block: TextBlock,
  field: PreparedField,
  isAdmitted: Admission,
  found: FoundSecret[],
): void {
  const { text, range } = prepared.normalized;
  for (const secret of findSecrets(text)) {
    const { start, end } = range(secret.start, secret.end);
    if (start < block.ownedStart || start >= block.ownedEnd) continue;
    if (!isAdmitted(text.slice(secret.start, secret.end), secret.score)) continue;
    // A key may be longer than what a block sees of the text.
    const isCut = secret.type === 'private_key' && secret.end === text.length;
    found.push({ ...secret, start, end: isCut ? endOfKey(field.text, start, end) : end });
  }
}
