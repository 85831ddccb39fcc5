/**
 * Runs callbacks that waited for a commit. The transaction has already succeeded, so an error of a
 * callback must reach neither its caller nor the next callback; it becomes a process warning.
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
