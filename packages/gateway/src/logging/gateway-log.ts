import type { Clock, LogFields, Logger, LogLevel } from '@probity/core';
import { createLogger } from '@probity/core';
import type { GatewayConfig } from '../config/read-config.ts';
import type { LogRecord } from './records.ts';
import { toLine, toRecord, withIncluded } from './records.ts';
import type { Syslog } from './syslog.ts';
import { openSyslog } from './syslog.ts';

type LoggingSettings = GatewayConfig['logging'];

/** What one configuration writes records with. */
export interface LogOutput {
  readonly logger: Logger;
  /** Writes a record with all its fields, whatever `logging.include_fields` says. */
  announce(message: string, fields: LogFields): void;
  flush(): void;
  close(): void;
}

/** Dependencies of an output. */
export interface LogOutputOptions {
  readonly clock: Clock;
  /** Takes whole lines, each with its line end. */
  readonly write: (lines: readonly string[]) => void;
}

/** How long a line waits for others. */
const BATCH_MS = 20;

/**
 * Opens what a configuration logs to. Lines are written together a moment later; an error at once.
 */
export function openLogOutput(settings: LoggingSettings, options: LogOutputOptions): LogOutput {
  const { clock, write } = options;
  const syslog = openSyslogOf(settings);
  let waiting: string[] = [];
  const flush = () => {
    const lines = waiting;
    waiting = [];
    if (lines.length > 0) write(lines);
  };
  const take = (record: LogRecord) => {
    if (waiting.length === 0) clock.setTimer(flush, BATCH_MS);
    waiting.push(toLine(record, settings.format));
    if (syslog) sendTo(syslog, record, settings);
    if (record.level === 'ERROR') flush();
  };
  const level = settings.level.toLowerCase() as LogLevel;
  const own = (take: (record: LogRecord) => void) =>
    createLogger({ level, clock, write: (line) => take(toRecord(line)) });
  const announcer = own(take);
  return {
    logger: own((record) => take(withIncluded(record, settings.include_fields))),
    announce: (message, fields) => announcer.info(message, fields),
    flush,
    close() {
      flush();
      syslog?.close();
    },
  };
}

function openSyslogOf({ syslog_enabled, syslog_host, syslog_port }: LoggingSettings) {
  if (!syslog_enabled || syslog_host === undefined) return undefined;
  return openSyslog(syslog_host, syslog_port);
}

function sendTo(syslog: Syslog, record: LogRecord, { json_output }: LoggingSettings): void {
  const line = toLine(record, json_output ? 'json' : 'text').trimEnd();
  const { level, timestamp } = record;
  syslog.send({ level: String(level), timestamp: String(timestamp), message: line });
}

/** The log of a gateway, whose output a reload replaces. */
export interface GatewayLog {
  /** Writes with the output in force. */
  readonly logger: Logger;
  announce(message: string, fields: LogFields): void;
  /** Replaces the output, and closes the one before. */
  use(output: LogOutput): void;
  flush(): void;
  close(): void;
}

/** Creates a log with its first output. */
export function createGatewayLog(first: LogOutput): GatewayLog {
  let output = first;
  return {
    logger: {
      debug: (message, fields) => output.logger.debug(message, fields),
      info: (message, fields) => output.logger.info(message, fields),
      warn: (message, fields) => output.logger.warn(message, fields),
      error: (message, fields) => output.logger.error(message, fields),
    },
    announce: (message, fields) => output.announce(message, fields),
    use(next) {
      const before = output;
      output = next;
      before.close();
    },
    flush: () => output.flush(),
    close: () => output.close(),
  };
}
