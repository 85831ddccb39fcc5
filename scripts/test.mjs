// Runs the compiled tests: node scripts/test.mjs [--all] [package | file]... [--test-name-pattern=...]
// With --all every combination is tested, otherwise a sample; other options are handed to node.
// Build first: npm test does.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { provideOscalSchema } from './support/oscal-schema.mjs';
import { providePromptfoo } from './support/promptfoo.mjs';
import { providePythonGenerator } from './support/python-generator.mjs';
import { root } from './support/repository.mjs';
import { provideRuntimes } from './support/runtimes.mjs';
import { writeEntries } from './support/test-entries.mjs';
import { findTests, selectTests } from './support/test-files.mjs';
import { createTestReport } from './support/test-report.mjs';
import { startTestServers } from './support/test-servers.mjs';
import { readTestTimes, writeTestTimes } from './support/test-times.mjs';
import { provideTransformers } from './support/transformers.mjs';

/** Node 20 and 22 hold a whole entry, that is a process, to this limit; later ones hold each test. */
const defaultTimeoutMs = 2_400_000;

/** More than there are processors: tests wait for disks, databases and other processes. */
const atOnce = availableParallelism() + 2;

/** @param {string} record The file that gets the record of the run. */
function reporters(record) {
  const own = fileURLToPath(import.meta.resolve('./support/run-record.mjs'));
  return [
    ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
    ...[`--test-reporter=${own}`, `--test-reporter-destination=${record}`],
  ];
}

/**
 * @param {readonly string[]} entries
 * @param {string} record
 * @param {readonly string[]} options
 * @param {Record<string, string>} env
 * @returns {Promise<number>} The exit code.
 */
function runTests(entries, record, options, env) {
  const report = createTestReport(process.stdout);
  const timeoutMs = process.env.TEST_TIMEOUT_MS ?? defaultTimeoutMs;
  const flags = ['--test', `--test-timeout=${timeoutMs}`, ...reporters(record)];
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.env.NODE_BINARY ?? process.execPath,
      ['--enable-source-maps', ...flags, `--test-concurrency=${atOnce}`, ...options, ...entries],
      { cwd: root, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const forward = (/** @type {NodeJS.Signals} */ signal) => child.kill(signal);
    for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
      process.on(signal, forward);
    }
    child.stdout.setEncoding('utf8').on('data', report.write);
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (signal) resolve(128 + constants.signals[signal]);
      else resolve(code === 0 && report.testCount() === 0 ? noTests() : (code ?? 1));
    });
  });
}

function noTests() {
  process.stderr.write('No test was run: a run without tests is a failed run.\n');
  return 1;
}

/** @param {readonly string[]} args @returns {Promise<number>} */
async function main(args) {
  const options = args.filter((arg) => arg.startsWith('-') && arg !== '--all');
  const names = args.filter((arg) => !arg.startsWith('-'));
  const packages = selectTests(findTests(), names);
  if (packages.length === 0) return noTests();
  const folder = mkdtempSync(join(tmpdir(), 'probity-test-run-'));
  const files = packages.flatMap((each) => each.files);
  const provided = {
    ...(await provideTransformers(files)),
    ...(await provideRuntimes(files)),
    ...(await providePythonGenerator(files)),
    ...(await providePromptfoo(files)),
    ...(await provideOscalSchema(files)),
  };
  const servers = await startTestServers();
  try {
    const whole = args.includes('--all') ? { TEST_ALL: '1' } : {};
    // Node 22 and later keep compiled code there for all processes of the run; Node 20 ignores it.
    const cache = { NODE_COMPILE_CACHE: join(folder, 'compiled') };
    const env = { ...provided, ...servers.env, ...whole, ...cache };
    const entries = writeEntries(packages, folder, atOnce, readTestTimes());
    const record = join(folder, 'record.json');
    const code = await runTests(entries, record, options, env);
    const { failures, times } = JSON.parse(readFileSync(record, 'utf8') || '{"failures":""}');
    process.stdout.write(failures);
    if (options.length === 0) writeTestTimes(times);
    return code;
  } finally {
    await servers.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
