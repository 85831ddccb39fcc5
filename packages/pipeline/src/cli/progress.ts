/** A bar that says how far a run has come. */
export interface Progress {
  /** Adds rows that were answered, and bytes of input that were read. */
  add(rows: number, bytes: number): void;
  /** Takes the bar off the screen. */
  finish(): void;
}

/** Where a bar is drawn, and what it needs to know. */
export interface ProgressOptions {
  readonly write: (text: string) => void;
  /** Milliseconds. */
  readonly now: () => number;
  /** Bytes of input in all; undefined where that is not known. */
  readonly totalBytes: number | undefined;
}

const WIDTH = 24;
const REDRAW_MS = 100;
const CLEAR = '\r\x1b[K';

/** A bar on one line of a terminal, drawn ten times a second at most. */
export function createProgress({ write, now, totalBytes }: ProgressOptions): Progress {
  const startedAt = now();
  let drawnAt = startedAt;
  let rows = 0;
  let bytes = 0;
  return {
    add(moreRows, moreBytes) {
      rows += moreRows;
      bytes += moreBytes;
      const time = now();
      if (time - drawnAt < REDRAW_MS) return;
      drawnAt = time;
      const perSecond = Math.round((rows * 1000) / (time - startedAt));
      const counts = `${format(rows)} rows, ${format(perSecond)}/s`;
      write(`${CLEAR}${bar(bytes, totalBytes)}${counts}`);
    },
    finish: () => write(CLEAR),
  };
}

/** A bar that shows nothing. */
export function createNoProgress(): Progress {
  return { add: () => {}, finish: () => {} };
}

function bar(bytes: number, totalBytes: number | undefined): string {
  if (totalBytes === undefined || totalBytes === 0) return '';
  const share = Math.min(1, bytes / totalBytes);
  const done = Math.round(share * WIDTH);
  const percent = String(Math.round(share * 100)).padStart(3);
  return `[${'#'.repeat(done)}${' '.repeat(WIDTH - done)}] ${percent} %  `;
}

function format(count: number): string {
  return count.toLocaleString('en-US');
}
