import { pino } from 'pino';
import type { Clock } from '../clock.ts';
import { systemClock } from '../clock.ts';
import { TOKEN_PREFIXES } from '../contract/prefixes.ts';
import type { Batch } from './output.ts';
import { createOutputBatch } from './output.ts';

/** Fields of a log line besides timestamp, level and message; errors are logged under `error`. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Levels from most to least verbose. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The level of a line. */
type LineLevel = Exclude<LogLevel, 'silent'>;

/** Writes structured log lines. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** Settings of a logger. */
export interface LoggerOptions {
  /** Default `info`. */
  readonly level?: LogLevel | undefined;
  /** Receives each line including its line end; default standard output. */
  readonly write?: ((line: string, level: LineLevel) => void) | undefined;
  /** How a level is written; default in small letters. */
  readonly labelOf?: ((level: LineLevel) => string) | undefined;
  readonly clock?: Clock | undefined;
}

const MASK = '[redacted]';

/** Members whose values are never logged, whatever they contain. */
const SECRET_NAME = /secret|password|authorization|api[_-]?key|cookie|token/i;

/** A member with a text value; the length of names is bounded to keep the search linear. */
const TEXT_MEMBER = /"([\w-]{1,64})":"(?:[^"\\]|\\.)*"/g;

/**
 * Secrets recognizable by their format, anywhere in the text; also passwords within URLs. No word
 * boundary is required: in JSON the letter of `\n` precedes a secret at the start of a line.
 */
/** Probity's tokens, and refresh tokens, which only cookies carry. */
const TOKEN_FORMS = [...TOKEN_PREFIXES, 'prt_'].join('|');

const SECRET_FORMS: ReadonlyArray<readonly [RegExp, string]> = [
  [new RegExp(`(${TOKEN_FORMS})[0-9A-Za-z]{8,}`, 'g'), `$1${MASK}`],
  [/eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}/g, MASK],
  [/whsec_[0-9A-Za-z+/=_-]{8,}/g, `whsec_${MASK}`],
  [/Bearer [\w.~+/=-]{8,}/gi, `Bearer ${MASK}`],
  [/(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@"]{0,256}:)[^\s@/"]{1,256}@/gi, `$1${MASK}@`],
];

/** Returns the text without the secrets that are recognizable by their format. */
export function redactSecrets(text: string): string {
  let clean = text;
  for (const [form, replacement] of SECRET_FORMS) clean = clean.replace(form, replacement);
  return clean;
}

/**
 * A logger of JSON Lines with `timestamp`, `level`, `message` and the given fields. Redaction is
 * applied to the finished line, so that no call site can omit it. Lines for standard output are
 * formatted and written in batches a moment later, which costs a busy server about a third less
 * than formatting each between the rest of its work.
 */
export function createLogger(options: LoggerOptions = {}): Logger {
  const { level: lowest = 'info', clock = systemClock, write } = options;
  const toLine = createFormatter(options.labelOf ?? ((level) => level));
  const output: Batch<LogEntry | string> | undefined = write
    ? undefined
    : createOutputBatch((entries) => entries.map(toLine).join(''));
  const from = LOG_LEVELS.indexOf(lowest);
  const log = (level: LineLevel, message: string, fields: LogFields = {}) => {
    if (LOG_LEVELS.indexOf(level) < from) return;
    const entry = { level, message, fields, at: clock.now() };
    if (write) write(toLine(entry), level);
    // Values that could change before the line is written are captured now.
    else output?.add(Object.values(fields).some(isObject) ? toLine(entry) : entry);
  };
  return {
    debug: (message, fields) => log('debug', message, fields),
    info: (message, fields) => log('info', message, fields),
    warn: (message, fields) => log('warn', message, fields),
    error(message, fields) {
      log('error', message, fields);
      output?.flush();
    },
  };
}

/** A log entry that has not been formatted yet. */
interface LogEntry {
  readonly level: LineLevel;
  readonly message: string;
  readonly fields: LogFields;
  readonly at: Date;
}

/** Formats entries as lines; a line that is already formatted is kept. */
function createFormatter(
  labelOf: (level: LineLevel) => string,
): (entry: LogEntry | string) => string {
  let timestamp = '';
  let timestampMs = Number.NaN;
  let line = '';
  const lines = pino(
    {
      level: 'debug',
      base: null,
      messageKey: 'message',
      timestamp: () => timestamp,
      formatters: { level: (label) => ({ level: labelOf(label as LineLevel) }) },
      serializers: { error: toErrorFields },
    },
    {
      write(text: string) {
        line = text;
      },
    },
  );
  return (entry) => {
    if (typeof entry === 'string') return entry;
    const { level, message, fields, at } = entry;
    // Many lines share one millisecond, and formatting a date costs as much as the rest of a line.
    if (at.getTime() !== timestampMs) {
      timestampMs = at.getTime();
      timestamp = `,"timestamp":"${at.toISOString()}"`;
    }
    lines[level](fields, message);
    return redactLine(line);
  };
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** A logger that writes nothing, for hosts and tests without logging. */
export const silentLogger: Logger = Object.freeze({
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
});

/** The logger of a router whose host set none: what would be logged goes to the host otherwise. */
export const unsetLogger: Logger = Object.freeze({ ...silentLogger });

/** Matches everything that {@link redactLine} could change; most lines do not match. A number, as of tokens, stays. */
const SUSPICIOUS = new RegExp(
  [`(?:${SECRET_NAME.source})[\\w-]{0,64}":"`, ...SECRET_FORMS.map(([{ source }]) => source)].join(
    '|',
  ),
  'i',
);

function redactLine(line: string): string {
  if (!SUSPICIOUS.test(line)) return line;
  const clean = line.replace(TEXT_MEMBER, (member, name: string) =>
    SECRET_NAME.test(name) ? `"${name}":"${MASK}"` : member,
  );
  return redactSecrets(clean);
}

function toErrorFields(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack, cause } = error;
  const code = (error as { code?: unknown }).code;
  return {
    name,
    message,
    ...(typeof code === 'string' ? { code } : {}),
    stack,
    ...(cause === undefined ? {} : { cause: toErrorFields(cause) }),
  };
}
