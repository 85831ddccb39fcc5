/** Lines kept of what a process wrote to its standard error. */
const STDERR_LINES = 20;

/**
 * A reporter of `node --test` for what the others do not say where a process fails though its tests
 * pass: its exit code or signal, the end of its standard error, and the errors that Node could not
 * assign to a running test. It writes nothing when no process fails so.
 * @param {AsyncIterable<{ type: string, data: any }>} source
 */
export default async function* fileFailures(source) {
  /** @type {Map<string, string>} */
  const written = new Map();
  const failed = [];
  const late = [];
  for await (const { type, data } of source) {
    if (type === 'test:stderr') {
      written.set(data.file, lastLines((written.get(data.file) ?? '') + data.message));
    } else if (type === 'test:diagnostic' && data.message.includes('asynchronous activity')) {
      late.push(data.message);
    } else if (type === 'test:fail' && data.nesting === 0 && data.name === data.file) {
      failed.push(data);
    }
  }
  for (const { file, details } of failed) {
    const { exitCode, signal } = details.error;
    yield `\n✖ ${file} ended with ${signal ?? `exit code ${exitCode}`}. Its standard error ends with:\n`;
    yield written.get(file) ?? '(nothing)\n';
  }
  if (late.length > 0) yield `\nErrors after their test had ended:\n${late.join('\n')}\n`;
}

/** @param {string} text */
function lastLines(text) {
  return text
    .split('\n')
    .slice(-STDERR_LINES - 1)
    .join('\n');
}
