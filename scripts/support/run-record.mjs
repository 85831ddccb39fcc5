import { sourceOf } from './test-times.mjs';

/** The last lines of a process's standard error that are kept. */
const STDERR_LINES = 20;

/**
 * A reporter of `node --test` that writes JSON: how long the tests of each file took (`times`, in
 * milliseconds), and the failures of processes whose tests passed, which other reporters do not explain
 * (`failures`): the exit code or signal, the end of its standard error, and the errors that Node could
 * not assign to a running test.
 * @param {AsyncIterable<{ type: string, data: any }>} source
 */
export default async function* runRecord(source) {
  /** @type {Record<string, number>} */
  const times = {};
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
    } else if (/^test:(?:pass|fail)$/.test(type) && data.nesting === 0 && data.file) {
      const file = sourceOf(data.file);
      if (file.endsWith('.test.ts'))
        times[file] = Math.round((times[file] ?? 0) + data.details.duration_ms);
    }
  }
  const failures = failed.map(({ file, details }) => {
    const { exitCode, signal } = details.error;
    const end = signal ?? `exit code ${exitCode}`;
    return `\n✖ ${file} ended with ${end}. Its standard error ends with:\n${written.get(file) ?? '(nothing)\n'}`;
  });
  if (late.length > 0) failures.push(`\nErrors after their test had ended:\n${late.join('\n')}\n`);
  yield JSON.stringify({ times, failures: failures.join('') });
}

/** @param {string} text */
function lastLines(text) {
  return text
    .split('\n')
    .slice(-STDERR_LINES - 1)
    .join('\n');
}
