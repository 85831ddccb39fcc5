/**
 * Calls what waited for a commit. The transaction has succeeded already, so an error of a callback
 * must reach neither its caller nor the next callback; it becomes a warning of the process.
 */
export function runAfterCommit(callbacks: ReadonlyArray<() => void>): void {
  for (const callback of callbacks) {
    try {
      callback();
    } catch (error) {
      process.emitWarning(error instanceof Error ? error : String(error));
    }
  }
}
