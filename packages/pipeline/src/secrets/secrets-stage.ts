import type { StageSettings, StageValue } from '../config.ts';
import { checkRecord } from '../config.ts';
import { forEachBlock } from '../for-each-block.ts';
import { compileExceptions } from '../pii/exceptions.ts';
import type { OptionalStageDefinition } from '../stage-definition.ts';
import { frozen } from '../stage-definition.ts';
import { checkFraction } from '../stage-options.ts';
import { stageValue } from '../stage-value.ts';
import { bestMatches } from '../text/best-matches.ts';
import type { PreparedText, TextBlock } from '../text/prepared-text.ts';
import { eachText } from '../text/prepared-text.ts';
import type { PreparedField, StageContext } from '../types.ts';
import { findSecrets } from './find-secrets.ts';
import type { FoundSecret } from './found-secret.ts';
import type { SecretType } from './secret-row.ts';

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
const KEY_END = '-----END ';
const MAX_KEY = 16_384;

/** Options of the stage `secrets_scanner`. */
export interface SecretsOptions {
  /** Values or expressions that are not reported, as for `pii_scanner`. */
  readonly exceptions?: readonly string[] | undefined;
  /** 0 to 1, default 0: less certain findings are not reported. */
  readonly minScore?: number | undefined;
}

/** The stage `secrets_scanner`. */
export const secretsStage: OptionalStageDefinition<'secrets_scanner', 'secrets'> = frozen({
  name: 'secrets_scanner',
  score: 'secrets',
  hasOptionalScore: true,
  types: SECRET_TYPES,
  reads: ['prompt', 'response', 'context'],
  readsSystem: true,
  isDefault: false,
  scoring: 'findings',
  isScoreJudged: true,
  code: 'POLICY_BLOCKED',
  rules: [{ threshold: 0.8, action: 'block' }, { action: 'flag' }],
  severities: {
    byType: { private_key: 'critical', connection_string: 'critical' },
    otherwise: 'high',
  },
  compares: false,
  create(options, path) {
    const { exceptions = [], minScore: given = 0 } = checkRecord(path, options, OPTIONS);
    const isExempt = compileExceptions(`${path}.exceptions`, exceptions);
    const minScore = checkFraction(`${path}.minScore`, given);
    return (context) =>
      scanSecrets(context, (value, score) => score >= minScore && !isExempt(value));
  },
});

/**
 * Keys, tokens and passwords in prompt, response and context. Its score `secrets` is the largest
 * confidence.
 */
export function secrets(options: SecretsOptions & StageSettings = {}): StageValue {
  return stageValue(secretsStage, options);
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
    const isCut = secret.type === 'private_key' && secret.end === text.length;
    found.push({ ...secret, start, end: isCut ? endOfKey(field.text, end) : end });
  }
}

/** A key may be longer than what a block sees of the text. */
function endOfKey(text: string, from: number): number {
  const after = text.slice(from, from + MAX_KEY);
  const end = after.indexOf(KEY_END);
  const line = end < 0 ? -1 : after.indexOf('-----', end + KEY_END.length);
  return line < 0 ? from : from + line + 5;
}
