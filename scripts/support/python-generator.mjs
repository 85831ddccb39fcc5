import { join } from 'node:path';
import { fetchPackages } from './fetch-packages.mjs';
import { capture } from './run.mjs';

/** The newest version whose package has the generator inside; later ones download it elsewhere. */
const SPEC = '@openapitools/openapi-generator-cli@1.0.18-5.0.0-beta2';

/** What a generated client imports besides the standard library. */
const MODULES = 'import urllib3, dateutil, six, certifi';

/**
 * Fetches the generator for the test of a Python client, 23 MB on disk, which needs Java, and
 * finds a Python that has what generated clients import.
 * @param {readonly string[]} files The tests that will run.
 * @returns {Promise<Record<string, string>>} For the environment of the tests; empty where no test
 *   wants it, or something is missing.
 */
export async function providePythonGenerator(files) {
  if (!files.some((file) => file.includes('/python-client.test'))) return {};
  const python = await firstThatRuns(['python3', '/usr/bin/python3'], ['-c', MODULES]);
  const java = await firstThatRuns(['java'], ['-version']);
  const folder = await fetchPackages('openapi-generator-5.0.0-beta2', [SPEC]);
  if (python && java && folder) {
    const package_ = join(folder, 'node_modules/@openapitools/openapi-generator-cli');
    return { TEST_GENERATOR: join(package_, 'bin/openapi-generator.jar'), TEST_PYTHON: python };
  }
  const missing = [
    !java && 'Java',
    !python && 'Python 3 with urllib3, dateutil, six and certifi',
    !folder && SPEC,
  ].filter(Boolean);
  process.stderr.write(`The test of a Python client is left out without ${missing.join(', ')}.\n`);
  return {};
}

/** @param {readonly string[]} programs @param {string[]} args @returns {Promise<string | undefined>} */
async function firstThatRuns(programs, args) {
  for (const program of programs) {
    const code = await capture(program, args).then(
      (result) => result.code,
      () => -1,
    );
    if (code === 0) return program;
  }
  return undefined;
}
