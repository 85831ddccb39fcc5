import { PipelineConfigError } from '../errors.ts';

/** Whether a found value is exempt. Gets the value after normalization. */
export type ExceptionTest = (value: string) => boolean;

const MAX_ENTRY = 256;
const MAX_VALUE = 512;
const LOOKS_LIKE_PATTERN = /[\\[\]^$*|{}]/;

/**
 * Compiles the configuration's `allowlists.pii_exceptions.patterns`. An entry is compared literally,
 * without regard to case, with the whole of a found value; an entry that has one of `\ [ ] ^ $ * | {`
 * or `}` is a regular expression, matched against the whole value as well. Only expressions whose
 * time cannot explode are taken: at most two unbounded quantifiers, none on a group, no
 * backreferences and no look-around; and values are at most 512 characters long.
 *
 * @throws PipelineConfigError naming the entry at fault
 */
export function compileExceptions(path: string, entries: unknown): ExceptionTest {
  if (!Array.isArray(entries)) throw new PipelineConfigError(path, 'expected a list of strings');
  const literals = new Set<string>();
  const patterns: RegExp[] = [];
  entries.forEach((entry: unknown, index) => {
    const at = `${path}[${index}]`;
    if (typeof entry !== 'string' || entry === '' || entry.length > MAX_ENTRY) {
      throw new PipelineConfigError(at, `expected a string of 1 to ${MAX_ENTRY} characters`);
    }
    literals.add(toLiteral(entry));
    if (LOOKS_LIKE_PATTERN.test(entry)) patterns.push(compilePattern(at, entry));
  });
  if (literals.size === 0) return () => false;
  return (value) =>
    literals.has(toLiteral(value)) ||
    (value.length <= MAX_VALUE && patterns.some((pattern) => pattern.test(value)));
}

function toLiteral(value: string): string {
  return value.normalize('NFKC').trim().toLowerCase();
}

function compilePattern(path: string, source: string): RegExp {
  const danger = findDanger(source);
  if (danger !== undefined)
    throw new PipelineConfigError(path, `${danger}; write a simpler pattern`);
  try {
    return new RegExp(`^(?:${source})$`, 'iu');
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new PipelineConfigError(path, `not a regular expression: ${message}`);
  }
}

function findDanger(source: string): string | undefined {
  const bare = source.replace(/\\[^1-9k]/g, '_').replace(/\[[^\]]*\]/g, '_');
  if (/\\[1-9k]/.test(bare)) return 'backreferences take unbounded time';
  if (/\(\?[=!<]/.test(bare)) return 'look-around and named groups are not supported';
  if (/\)(?:[*+]|\{\d*,?\d*\})/.test(bare)) return 'a repeated group can take exponential time';
  const unbounded = bare.match(/[*+]|\{\d+,\}/g)?.length ?? 0;
  return unbounded > 2 ? 'more than two unbounded quantifiers take too long' : undefined;
}
