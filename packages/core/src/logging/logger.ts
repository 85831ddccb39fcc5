import { pino } from 'pino';
import type { Clock } from '../clock.ts';
import { systemClock } from '../clock.ts';
import { TOKEN_PREFIXES } from '../contract/prefixes.ts';
import type { Batch } from './output.ts';
import { createOutputBatch } from './output.ts';

/** Fields of a log line besides timestamp, level and message; errors go under `error`. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Levels from chatty to silent. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

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
  readonly level?: LogLevel;
  /** Receives each line with its line end; default standard output. */
  readonly write?: (line: string) => void;
  readonly clock?: Clock;
}

const MASK = '[redacted]';

/** Members whose values never reach a log, whatever they hold. */
const SECRET_NAME = /secret|password|authorization|api[_-]?key|cookie|token/i;

/** A member with a text for its value; the length of names is bounded to keep the search linear. */
const TEXT_MEMBER = /"([\w-]{1,64})":"(?:[^"\\]|\\.)*"/g;

/**
 * Secrets known by their form, wherever they stand; also passwords within URLs. No word boundary is
 * asked for: in JSON the letter of `\n` stands before a secret that begins a line.
 */
/** Tokens of ours, and refresh tokens, which only cookies hold. */
const TOKEN_FORMS = [...TOKEN_PREFIXES, 'prt_'].join('|');

const SECRET_FORMS: ReadonlyArray<readonly [RegExp, string]> = [
  [new RegExp(`(${TOKEN_FORMS})[0-9A-Za-z]{8,}`, 'g'), `$1${MASK}`],
  [/eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}/g, MASK],
  [/whsec_[0-9A-Za-z+/=_-]{8,}/g, `whsec_${MASK}`],
  [/Bearer [\w.~+/=-]{8,}/gi, `Bearer ${MASK}`],
  [/(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@"]{0,256}:)[^\s@/"]{1,256}@/gi, `$1${MASK}@`],
];

/** A text without the secrets that can be told by their form. */
export function redactSecrets(text: string): string {
  let clean = text;
  for (const [form, replacement] of SECRET_FORMS) clean = clean.replace(form, replacement);
  return clean;
}

/**
 * A logger of JSON Lines with `timestamp`, `level`, `message` and the fields given. Redaction
 * happens on the finished line, so that no call site can forget it. Lines for standard output are
 * made and written together a moment later: one after the other they cost a busy server about two
 * thirds of what they cost between the rest of its work.
 */
export function createLogger(options: LoggerOptions = {}): Logger {
  const { level: lowest = 'info', clock = systemClock, write } = options;
  const toLine = createFormatter();
  const output: Batch<LogEntry | string> = write
    ? { add: (entry) => write(toLine(entry)), flush: () => undefined }
    : createOutputBatch((entries) => entries.map(toLine).join(''));
  const log = (level: LogEntry['level'], message: string, fields: LogFields = {}) => {
    if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(lowest)) return;
    const entry = { level, message, fields, at: clock.now() };
    // What could change until then is written down now.
    output.add(Object.values(fields).some(isObject) ? toLine(entry) : entry);
  };
  return {
    debug: (message, fields) => log('debug', message, fields),
    info: (message, fields) => log('info', message, fields),
    warn: (message, fields) => log('warn', message, fields),
    error(message, fields) {
      log('error', message, fields);
      output.flush();
    },
  };
}

/** What is logged, as long as it is not a line yet. */
interface LogEntry {
  readonly level: Exclude<LogLevel, 'silent'>;
  readonly message: string;
  readonly fields: LogFields;
  readonly at: Date;
}

/** Makes lines of entries; a line that was made already stays. */
function createFormatter(): (entry: LogEntry | string) => string {
  let timestamp = '';
  let timestampMs = Number.NaN;
  let line = '';
  const lines = pino(
    {
      level: 'debug',
      base: null,
      messageKey: 'message',
      timestamp: () => timestamp,
      formatters: { level: (label) => ({ level: label }) },
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
    // Many lines fall into one millisecond, and writing a date out costs as much as the rest of one.
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

/** A logger that writes nothing, for hosts and tests that want none. */
export const silentLogger: Logger = Object.freeze({
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
});

/** Finds whatever {@link redactLine} could change; most lines have nothing of it. */
const SUSPICIOUS = new RegExp(
  [SECRET_NAME, ...SECRET_FORMS.map(([form]) => form)].map(({ source }) => source).join('|'),
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
