import { redactSecrets } from '../logging/logger.ts';

/** Characters of an error that are stored. */
const MAX_LENGTH = 1_000;
/** Characters that are searched for secrets; what lies beyond is never stored. */
const MAX_READ = 4 * MAX_LENGTH;
const MAX_CAUSES = 4;

/**
 * An error, or a text, as it is stored with a job: with its causes, without secrets that can be told
 * by their form, without U+0000 (which PostgreSQL does not store) and at most 1,000 characters long.
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
