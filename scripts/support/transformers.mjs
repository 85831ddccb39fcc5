import { fetchPackages } from './fetch-packages.mjs';

const VERSION = '4.3.1';
/** Its build for Node has this runtime inside and never asks for the package, 146 MB of it. */
const OVERRIDES = { 'onnxruntime-web': 'npm:onnxruntime-common@1.30.0' };

/**
 * Fetches transformers.js for the tests that run ONNX models, 328 MB on disk. It is no dependency:
 * whoever does not test would wait for it at each installation.
 * @param {readonly string[]} files The tests that will run.
 * @returns {Promise<Record<string, string>>} For the environment of the tests; empty where none of
 *   them wants it, or npm cannot fetch it.
 */
export async function provideTransformers(files) {
  const isWanted = files.some((file) => file.includes('/test/onnx/'));
  if (!isWanted) return {};
  if (process.env.TEST_TRANSFORMERS_FOLDER) return {};
  const spec = `@huggingface/transformers@${VERSION}`;
  const folder = await fetchPackages(`transformers-${VERSION}`, [spec], OVERRIDES);
  if (folder !== undefined) return { TEST_TRANSFORMERS_FOLDER: folder };
  process.stderr.write(`Tests on ONNX models are left out: npm could not fetch ${spec}.\n`);
  return {};
}
