import { InvalidArgumentError, Option } from 'commander';

/** `--base-url`, of every command that calls a server. */
export function baseUrlOption(): Option {
  return new Option(
    '--base-url <url>',
    'address of the server (PROBITY_BASE_URL; default: that of `probity login`)',
  );
}

/** `--json`, for output that programs read. */
export function jsonOption(description = 'print JSON'): Option {
  return new Option('--json', description);
}

/** Collects the values of an option that may be repeated. */
export function collect(value: string, former: readonly string[] = []): readonly string[] {
  return [...former, value];
}

/** A parser of whole numbers in a range. */
export function wholeNumber(least: number, most: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= least && number <= most) return number;
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`);
  };
}

/** Reads an ISO 8601 time with an offset. */
export function instant(value: string): string {
  if (/T.*(?:Z|[+-]\d{2}:\d{2})$/.test(value) && !Number.isNaN(Date.parse(value))) return value;
  throw new InvalidArgumentError(
    'Expected an ISO 8601 time with an offset, such as 2026-01-31T00:00:00Z.',
  );
}

/** Reads a UUID. */
export function uuid(value: string): string {
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value)) return value.toLowerCase();
  throw new InvalidArgumentError('Expected a UUID.');
}
