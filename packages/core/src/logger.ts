import { pino } from 'pino';
import type { Clock } from './clock.ts';
import { systemClock } from './clock.ts';
import { createStandardOutput } from './log-output.ts';

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
const SECRET_FORMS: ReadonlyArray<readonly [RegExp, string]> = [
  [/(pbk|psc|pin|prs|prt)_[0-9A-Za-z]{8,}/g, `$1_${MASK}`],
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
 * happens on the finished line, so that no call site can forget it.
 */
export function createLogger(options: LoggerOptions = {}): Logger {
  const { level = 'info', clock = systemClock } = options;
  const output = options.write
    ? { write: options.write, flush: () => undefined }
    : createStandardOutput();
  const lines = pino(
    {
      level,
      base: null,
      messageKey: 'message',
      timestamp: createTimestamps(clock),
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: toErrorFields },
    },
    { write: (line: string) => output.write(redactLine(line)) },
  );
  return {
    debug: (message, fields) => lines.debug(fields ?? {}, message),
    info: (message, fields) => lines.info(fields ?? {}, message),
    warn: (message, fields) => lines.warn(fields ?? {}, message),
    error(message, fields) {
      lines.error(fields ?? {}, message);
      output.flush();
    },
  };
}

/** Many lines fall into one millisecond, and writing a date out costs as much as the rest of a line. */
function createTimestamps(clock: Clock): () => string {
  let writtenMs = Number.NaN;
  let written = '';
  return () => {
    const now = clock.now();
    if (now.getTime() !== writtenMs) {
      writtenMs = now.getTime();
      written = `,"timestamp":"${now.toISOString()}"`;
    }
    return written;
  };
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
