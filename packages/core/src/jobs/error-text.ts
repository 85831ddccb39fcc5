import { redactSecrets } from '../logging/logger.ts';

/** Maximum length of a stored error in characters. */
const MAX_LENGTH = 1_000;
/** Number of characters that are searched for secrets; text beyond it is never stored. */
const MAX_READ = 4 * MAX_LENGTH;
const MAX_CAUSES = 4;

/**
 * The stored form of an error or text: with its causes, without secrets that are recognizable by
 * their format, without U+0000 (which PostgreSQL does not store) and at most 1,000 characters long.
 */
export function toErrorText(error: unknown): string {
  const clean = redactSecrets(describe(error).replaceAll('\0', '').slice(0, MAX_READ));
  return clean.length > MAX_LENGTH ? `${clean.slice(0, MAX_LENGTH - 1)}…` : clean;
}

function describe(error: unknown): string {
  if (typeof error === 'string') return error;
  const texts: string[] = [];
  let current = error;
  while (current instanceof Error && texts.length < MAX_CAUSES) {
    texts.push(`${current.name}: ${current.message}`);
    current = current.cause;
  }
  return texts.join(', because of ') || `A value that is no error was thrown (${typeof error})`;
}
