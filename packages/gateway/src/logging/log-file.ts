import {
  closeSync,
  fstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { GatewayConfig } from '../config/read-config.ts';

/** Where lines go. */
export interface LineSink {
  /** Takes whole lines, each with its line end. */
  write(lines: readonly string[]): void;
  /** Deletes what is older than it may be. */
  sweep(): void;
  close(): void;
}

type FileSettings = Pick<
  GatewayConfig['logging'],
  'max_size_mb' | 'max_backups' | 'max_age_days'
> & { readonly file: string };

const MEBIBYTE = 1_048_576;
const DAY_MS = 86_400_000;

/**
 * Opens a log file, which is made with mode 0640, and appended to. Before it would be larger than
 * `max_size_mb` it becomes `FILE.1`, the one before `FILE.2`, and so on; a line is never in two files.
 *
 * @throws Error of the system when it cannot be opened
 */
export function openLogFile(settings: FileSettings, now: () => Date): LineSink {
  const { file } = settings;
  let fd = openSync(file, 'a', 0o640);
  let size = fstatSync(fd).size;
  const largest = settings.max_size_mb * MEBIBYTE;
  const rotate = () => {
    closeSync(fd);
    shiftBackups(settings);
    fd = openSync(file, 'a', 0o640);
    size = fstatSync(fd).size;
    sweepBackups(settings, now());
  };
  const append = (text: string) => {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
    size += bytes.length;
  };
  return {
    write(lines) {
      let waiting = '';
      let waitingBytes = 0;
      for (const line of lines) {
        const bytes = Buffer.byteLength(line);
        if (size + waitingBytes > 0 && size + waitingBytes + bytes > largest) {
          append(waiting);
          rotate();
          waiting = '';
          waitingBytes = 0;
        }
        waiting += line;
        waitingBytes += bytes;
      }
      append(waiting);
    },
    sweep: () => sweepBackups(settings, now()),
    close: () => closeSync(fd),
  };
}

/** The rotated files of a log, the newest first. */
function backupsOf(file: string): { readonly path: string; readonly number: number }[] {
  const start = `${basename(file)}.`;
  return readdirSync(dirname(file))
    .filter((name) => name.startsWith(start) && /^\d{1,4}$/.test(name.slice(start.length)))
    .map((name) => ({ path: join(dirname(file), name), number: Number(name.slice(start.length)) }))
    .sort((left, right) => left.number - right.number);
}

function shiftBackups({ file, max_backups }: FileSettings): void {
  for (const { path, number } of backupsOf(file).reverse()) {
    if (number >= max_backups) rmSync(path, { force: true });
    else renameSync(path, `${file}.${number + 1}`);
  }
  if (max_backups === 0) rmSync(file, { force: true });
  else renameSync(file, `${file}.1`);
}

function sweepBackups({ file, max_backups, max_age_days }: FileSettings, now: Date): void {
  for (const { path, number } of backupsOf(file)) {
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: now.getTime() };
    const isOld = max_age_days > 0 && now.getTime() - mtimeMs > max_age_days * DAY_MS;
    if (isOld || number > max_backups) rmSync(path, { force: true });
  }
}
