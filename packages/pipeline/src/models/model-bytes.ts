import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WEIGHTS } from './manifest.generated.ts';

/**
 * Reads the files of models/. Each is a literal `new URL` with `import.meta.url` in a call of
 * readFileSync, which bundlers with assets and tracers of files recognize.
 */
const FILES = {
  hallucination: () => readFileSync(new URL('../../../models/hallucination.bin', import.meta.url)),
  'injection-place': () =>
    readFileSync(new URL('../../../models/injection-place.bin', import.meta.url)),
  'injection-topics': () =>
    readFileSync(new URL('../../../models/injection-topics.bin', import.meta.url)),
  injection: () => readFileSync(new URL('../../../models/injection.bin', import.meta.url)),
  'meaning-toxicity': () =>
    readFileSync(new URL('../../../models/meaning-toxicity.bin', import.meta.url)),
  relations: () => readFileSync(new URL('../../../models/relations.bin', import.meta.url)),
  'toxicity-classes': () =>
    readFileSync(new URL('../../../models/toxicity-classes.bin', import.meta.url)),
  'toxicity-net': () => readFileSync(new URL('../../../models/toxicity-net.bin', import.meta.url)),
  toxicity: () => readFileSync(new URL('../../../models/toxicity.bin', import.meta.url)),
  'truth-against': () =>
    readFileSync(new URL('../../../models/truth-against.bin', import.meta.url)),
  words: () => readFileSync(new URL('../../../models/words.bin', import.meta.url)),
} as const satisfies Readonly<Record<ModelName, () => Uint8Array>>;

/** A file of models/, without its ending. */
export type ModelName = keyof typeof WEIGHTS;

/** A weight file that is missing, cut, damaged, or of another release or license than the code. */
class WeightsError extends Error {
  override readonly name = 'WeightsError';
  readonly code = 'WEIGHTS_INVALID';
}

/**
 * Reads a file of models/: in this package, else in the folder `models` beside the bundle that this
 * module is a part of. All weights are read here, and compared with the manifest.
 *
 * @throws WeightsError that names the file, the version expected and found, and what to do
 */
export function readModelBytes(name: ModelName): Uint8Array {
  const own = import.meta.url ? readUnlessMissing(FILES[name]) : undefined;
  if (own) return checkWeights(name, own, `models/${name}.bin of @probity/pipeline`);
  const copy = join(moduleFolder(), 'models', `${name}.bin`);
  const copied = readUnlessMissing(() => readFileSync(copy));
  if (copied) return checkWeights(name, copied, copy);
  throw new WeightsError(
    `models/${name}.bin is missing from @probity/pipeline, and ${copy} from a bundle: install the package ` +
      'anew, or copy its folder models beside the bundle, or leave the package out of the bundle.',
  );
}

/**
 * Compares a weight file with the manifest.
 *
 * @param place of the file, for errors
 * @throws WeightsError when it is cut, damaged, or of another version or license
 */
export function checkWeights(name: ModelName, bytes: Uint8Array, place: string): Uint8Array {
  const { format, bytes: length, sha256 } = WEIGHTS[name];
  const hash = createHash('sha256').update(bytes).digest('hex');
  if (hash === sha256) return bytes;
  const found = Buffer.from(bytes.subarray(0, 4)).toString('latin1');
  const isCut = found === format && bytes.length < length;
  const what = isCut ? 'is cut' : 'is damaged, or of another release or license than the code';
  throw new WeightsError(
    `${place} ${what}: expected ${describe(format, sha256, length)}, license ${licenseOf(name)}; ` +
      `found ${describe(found, hash, bytes.length)}. Install @probity/pipeline anew, and copy its ` +
      'folder models again where a bundle has a copy.',
  );
}

/** The license of a weight file: relations between words are from WordNet, everything else was made here. */
function licenseOf(name: ModelName): string {
  return name === 'relations' ? 'Apache-2.0 with the WordNet license' : 'Apache-2.0';
}

function describe(format: string, sha256: string, length: number): string {
  const letters = format.replace(/[^\x20-\x7e]/g, '?');
  return `version ${sha256.slice(0, 12)} (format ${letters}, ${length} bytes)`;
}

function readUnlessMissing(read: () => Uint8Array): Uint8Array | undefined {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Bundles in CommonJS have `__dirname` in place of `import.meta.url`. */
function moduleFolder(): string {
  return import.meta.url ? dirname(fileURLToPath(import.meta.url)) : __dirname;
}
