import type { GatewayConfig } from '../config/read-config.ts';

/** A log record, as its line has it. */
export type LogRecord = Readonly<Record<string, unknown>>;

type LoggingSettings = GatewayConfig['logging'];

const ALWAYS = new Set(['timestamp', 'level', 'message']);

/** The record of a line of the core's logger, with the level as the configuration writes levels. */
export function toRecord(line: string): LogRecord {
  const { timestamp, level, message, ...fields } = JSON.parse(line) as LogRecord;
  return { timestamp, level: String(level).toUpperCase(), message, ...fields };
}

/** Leaves out the fields that `logging.include_fields` does not name. */
export function withIncluded(
  record: LogRecord,
  included: LoggingSettings['include_fields'],
): LogRecord {
  if (included === undefined) return record;
  const names = new Set<string>(included);
  return Object.fromEntries(
    Object.entries(record).filter(([name]) => ALWAYS.has(name) || names.has(name)),
  );
}

/** A record as a line of JSON, or as text: time, level, message, then `name=value`. */
export function toLine(record: LogRecord, format: LoggingSettings['format']): string {
  if (format === 'json') return `${JSON.stringify(record)}\n`;
  const { timestamp, level, message, ...fields } = record;
  const rest = Object.entries(fields).map(([name, value]) => ` ${name}=${toText(value)}`);
  return `${timestamp} ${level} ${String(message).replaceAll('\n', ' ')}${rest.join('')}\n`;
}

function toText(value: unknown): string {
  return typeof value === 'string' && /^[\w.:/@+-]+$/.test(value) ? value : JSON.stringify(value);
}
