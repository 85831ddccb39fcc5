import type { Clock, LogFields, Logger, LogLevel } from '@probity/core';
import { createLogger } from '@probity/core';
import type { GatewayConfig } from '../config/read-config.ts';
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
  const take = (line: string, level: LogLevel) => {
    if (waiting.length === 0) clock.setTimer(flush, BATCH_MS);
    waiting.push(toLine(line, settings.format));
    if (syslog) sendTo(syslog, line, settings);
    if (level === 'error') flush();
  };
  const level = settings.level.toLowerCase() as LogLevel;
  const labelOf = (each: LogLevel) => each.toUpperCase();
  const all = createLogger({ level, clock, labelOf, write: take });
  return {
    logger: settings.include_fields ? including(all, settings.include_fields) : all,
    announce: (message, fields) => all.info(message, fields),
    flush,
    close() {
      flush();
      syslog?.close();
    },
  };
}

/** Writes only the named fields. */
function including(logger: Logger, included: LoggingSettings['include_fields']): Logger {
  const only = (fields: LogFields = {}) => withIncluded(fields, included);
  return {
    debug: (message, fields) => logger.debug(message, only(fields)),
    info: (message, fields) => logger.info(message, only(fields)),
    warn: (message, fields) => logger.warn(message, only(fields)),
    error: (message, fields) => logger.error(message, only(fields)),
  };
}

function openSyslogOf({ syslog_enabled, syslog_host, syslog_port }: LoggingSettings) {
  if (!syslog_enabled || syslog_host === undefined) return undefined;
  return openSyslog(syslog_host, syslog_port);
}

function sendTo(syslog: Syslog, line: string, { json_output }: LoggingSettings): void {
  const message = toLine(line, json_output ? 'json' : 'text').trimEnd();
  const { level, timestamp } = toRecord(line);
  syslog.send({ level: String(level), timestamp: String(timestamp), message });
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
