import type { Output } from './output.ts';
import { CLEAR_LINE } from './text.ts';

/** A line of a terminal that says how far a command is. */
export interface ProgressLine {
  /** Replaces the line, ten times a second at most. */
  show(text: string): void;
  /** Replaces the line at once. */
  step(text: string): void;
  /** Takes the line off the screen. */
  clear(): void;
}

const REDRAW_MS = 100;

/** A progress line on a terminal; elsewhere nothing is shown. */
export function createProgressLine(output: Output): ProgressLine {
  let drawnAt = Number.NEGATIVE_INFINITY;
  let isShown = false;
  const step = (text: string): void => {
    if (!output.isTerminal) return;
    drawnAt = performance.now();
    isShown = true;
    void output.write(`${CLEAR_LINE}${text.slice(0, output.columns - 1)}`);
  };
  return {
    step,
    show(text) {
      if (performance.now() - drawnAt >= REDRAW_MS) step(text);
    },
    clear() {
      if (isShown) void output.write(CLEAR_LINE);
      isShown = false;
    },
  };
}
