import { fetchPackages } from './fetch-packages.mjs';

const VERSION = '0.121.20';
/** What its database is, for this machine: with optional dependencies it would be four times as large. */
const DATABASE_VERSION = '0.5.29';

/**
 * Fetches the evaluation tool for the test of the example that runs it, 270 MB on disk. It is no
 * dependency: whoever does not test would wait for it at each installation.
 * @param {readonly string[]} files The tests that will run.
 * @returns {Promise<Record<string, string>>} For the environment of the tests; empty where none of
 *   them wants it, or npm cannot fetch it.
 */
export async function providePromptfoo(files) {
  if (!files.some((file) => file.includes('/examples/evidence-ci/'))) return {};
  if (process.env.TEST_PROMPTFOO_FOLDER) return {};
  const specs = [`promptfoo@${VERSION}`, `${databasePackage()}@${DATABASE_VERSION}`];
  const folder = await fetchPackages(`promptfoo-${VERSION}`, specs, {}, ['--omit=optional']);
  if (folder !== undefined) return { TEST_PROMPTFOO_FOLDER: folder };
  process.stderr.write(`The test of evidence-ci is left out: npm could not fetch ${specs[0]}.\n`);
  return {};
}

function databasePackage() {
  const { platform, arch } = process;
  if (platform === 'win32') return `@libsql/win32-${arch}-msvc`;
  if (platform !== 'linux') return `@libsql/${platform}-${arch}`;
  const { header } = /** @type {{ header: Record<string, unknown> }} */ (
    process.report.getReport()
  );
  return `@libsql/linux-${arch}-${header.glibcVersionRuntime ? 'gnu' : 'musl'}`;
}
