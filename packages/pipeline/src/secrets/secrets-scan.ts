import { forEachBlock } from '../for-each-block.ts';
import { bestMatches } from '../text/best-matches.ts';
import type { PreparedText, TextBlock } from '../text/prepared-text.ts';
import { eachText } from '../text/prepared-text.ts';
import type { PreparedField, StageContext } from '../types.ts';
import { findCommandSecrets } from './command-secrets.ts';
import { findSecrets } from './find-secrets.ts';
import type { FoundSecret } from './found-secret.ts';
import { findLabeledSecrets } from './labeled-secrets.ts';
import { endOfKey, hasEnd } from './private-keys.ts';

/** Whether a secret is to be reported. */
type Admission = (secret: FoundSecret, value: string) => boolean;

/** Reports the secrets that are admitted; the score is the largest confidence. */
export function scanSecrets(
  context: StageContext,
  isAdmitted: Admission,
): Promise<void> | undefined {
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
  const secrets = [...findSecrets(text), ...findLabeledSecrets(text), ...findCommandSecrets(text)];
  for (const secret of secrets) {
    const { start, end } = range(secret.start, secret.end);
    if (start < block.ownedStart || start >= block.ownedEnd) continue;
    const value = text.slice(secret.start, secret.end);
    if (!isAdmitted(secret, value)) continue;
    // A key may be longer than what a block sees of the text.
    const isCut = secret.type === 'private_key' && secret.end === text.length && !hasEnd(value);
    found.push({ ...secret, start, end: isCut ? endOfKey(field.text, start, end) : end });
  }
}
