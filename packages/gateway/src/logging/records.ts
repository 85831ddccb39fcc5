import type { LogFields } from '@probity/core';
import type { GatewayConfig } from '../config/read-config.ts';

/** A log record, as its line has it. */
export type LogRecord = Readonly<Record<string, unknown>>;

type LoggingSettings = GatewayConfig['logging'];

/** Leaves out the fields that `logging.include_fields` does not name; timestamp, level and message always stay. */
export function withIncluded(
  fields: LogFields,
  included: LoggingSettings['include_fields'],
): LogFields {
  if (included === undefined) return fields;
  const names = new Set<string>(included);
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.has(name)));
}

/** The record of a line of JSON. */
export function toRecord(line: string): LogRecord {
  return JSON.parse(line) as LogRecord;
}

/** A line of JSON as it is, or as text: time, level, message, then `name=value`. */
export function toLine(line: string, format: LoggingSettings['format']): string {
  if (format === 'json') return line;
  const { timestamp, level, message, ...fields } = toRecord(line);
  const rest = Object.entries(fields).map(([name, value]) => ` ${name}=${toText(value)}`);
  return `${timestamp} ${level} ${String(message).replaceAll('\n', ' ')}${rest.join('')}\n`;
}

function toText(value: unknown): string {
  return typeof value === 'string' && /^[\w.:/@+-]+$/.test(value) ? value : JSON.stringify(value);
}
