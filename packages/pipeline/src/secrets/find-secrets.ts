import { findConnectionStrings } from './connection-strings.ts';
import type { FoundSecret } from './found-secret.ts';
import { findJsonWebTokens } from './json-web-tokens.ts';
import { entropyOf } from './placeholders.ts';
import { findPrivateKeys } from './private-keys.ts';
import { createRowFinder } from './row-finder.ts';
import { INNER_ROWS, NAMED_ROWS, PREFIXED_ROWS } from './vendors/index.ts';

const findRows = createRowFinder(PREFIXED_ROWS, NAMED_ROWS, INNER_ROWS);
/** The secret of an AWS key pair, which stands near the key's identifier. */
const AWS_SECRET = /(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=])/g;
const AWS_REACH = 240;
const MIN_AWS_ENTROPY = 4.2;

/** Every secret in a normalized text, in linear time. Findings may overlap. */
export function findSecrets(text: string): FoundSecret[] {
  const rows = findRows(text);
  return [
    ...rows,
    ...findPrivateKeys(text),
    ...findJsonWebTokens(text),
    ...findConnectionStrings(text),
    ...rows.flatMap((row) => (row.reason.startsWith('AWS:') ? findAwsSecrets(text, row) : [])),
  ];
}

function findAwsSecrets(text: string, { start, end }: FoundSecret): FoundSecret[] {
  const from = Math.max(0, start - AWS_REACH);
  const near = text.slice(from, end + AWS_REACH);
  const found: FoundSecret[] = [];
  for (const { 0: value, index } of near.matchAll(AWS_SECRET)) {
    const isRandom = /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value);
    if (!isRandom || entropyOf(value) < MIN_AWS_ENTROPY) continue;
    const isDocumented = value.endsWith('EXAMPLEKEY');
    found.push({
      type: 'api_key',
      start: from + index,
      end: from + index + value.length,
      score: isDocumented ? 0.5 : 0.85,
      reason: isDocumented
        ? 'AWS: example of its documentation'
        : 'AWS: a secret beside the identifier of its key',
    });
  }
  return found;
}
