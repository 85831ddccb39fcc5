import type { Clock, Timer } from '@probity/core';
import type { PrimaryPart } from '../cluster/part.ts';
import type { GatewayConfig } from '../config/read-config.ts';
import type { LineSink } from './log-file.ts';
import { openLogFile } from './log-file.ts';

/** What workers address the log by. */
export const LOG = 'log';

/** Where the lines of all processes go. */
export interface LogPart extends PrimaryPart {
  /** Writes whole lines; what cannot be written is lost, with a word on standard error. */
  write(lines: readonly string[]): void;
}

/** Dependencies of the part. */
export interface LogPartOptions {
  readonly clock: Clock;
  /** Takes lines where there is no file. */
  readonly write: (text: string) => void;
  /** Takes what is wrong with the file. */
  readonly complain: (text: string) => void;
}

const SWEEP_MS = 3_600_000;
const COMPLAINT_PAUSE_MS = 60_000;

/**
 * Opens the log. One process writes it, whatever the number of workers: no line is torn, and none is lost
 * between two files.
 *
 * @throws Error of the system when the file cannot be opened
 */
export function createLogPart(config: GatewayConfig, options: LogPartOptions): LogPart {
  const { clock, complain } = options;
  let sink = openSink(config, options);
  let complainedAtMs = Number.NEGATIVE_INFINITY;
  const attempt = (work: () => void) => {
    try {
      work();
    } catch (error) {
      if (clock.monotonicMs() - complainedAtMs < COMPLAINT_PAUSE_MS) return;
      complainedAtMs = clock.monotonicMs();
      complain(`probity-gateway: the log cannot be written: ${(error as Error).message}\n`);
    }
  };
  let timer: Timer | undefined;
  const sweep = () => {
    attempt(() => sink.sweep());
    timer = clock.setTimer(sweep, SWEEP_MS);
  };
  const write = (lines: readonly string[]) => attempt(() => sink.write(lines));
  return {
    name: LOG,
    write,
    start() {
      timer = clock.setTimer(sweep, SWEEP_MS);
    },
    take: (message) => write(message as readonly string[]),
    prepare(next) {
      const opened = openSink(next, options);
      return {
        commit() {
          sink.close();
          sink = opened;
        },
        discard: () => opened.close(),
      };
    },
    close() {
      timer?.cancel();
      sink.close();
    },
  };
}

function openSink({ logging }: GatewayConfig, { clock, write }: LogPartOptions): LineSink {
  const { file } = logging;
  if (file !== undefined) return openLogFile({ ...logging, file }, () => clock.now());
  return {
    write: (lines) => write(lines.join('')),
    sweep: () => undefined,
    close: () => undefined,
  };
}
