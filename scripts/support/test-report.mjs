/**
 * Passes the report of `node --test` on and reads the number of tests from its closing summary.
 * @param {{ write(text: string): unknown }} output
 */
export function createTestReport(output) {
  let tail = '';
  return {
    /** @param {string} text */
    write(text) {
      output.write(text);
      tail = (tail + text).slice(-1_000_000);
    },
    /** Tests in the summary: 0 when there is no summary. */
    testCount() {
      const counts = [...tail.matchAll(/^ℹ tests (\d+)$/gm)];
      return Number(counts.at(-1)?.[1] ?? 0);
    },
  };
}
