import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Reads the files of models/. Each is a literal `new URL` with `import.meta.url` in a call of
 * readFileSync, which bundlers with assets and tracers of files recognize.
 */
const FILES = {
  'hallucination-free': () =>
    readFileSync(new URL('../../../models/hallucination-free.bin', import.meta.url)),
  hallucination: () => readFileSync(new URL('../../../models/hallucination.bin', import.meta.url)),
  'injection-place': () =>
    readFileSync(new URL('../../../models/injection-place.bin', import.meta.url)),
  'injection-topics': () =>
    readFileSync(new URL('../../../models/injection-topics.bin', import.meta.url)),
  injection: () => readFileSync(new URL('../../../models/injection.bin', import.meta.url)),
  relations: () => readFileSync(new URL('../../../models/relations.bin', import.meta.url)),
  'toxicity-classes': () =>
    readFileSync(new URL('../../../models/toxicity-classes.bin', import.meta.url)),
  toxicity: () => readFileSync(new URL('../../../models/toxicity.bin', import.meta.url)),
  'truth-against': () =>
    readFileSync(new URL('../../../models/truth-against.bin', import.meta.url)),
  words: () => readFileSync(new URL('../../../models/words.bin', import.meta.url)),
} as const;

/** A file of models/, without its ending. */
export type ModelName = keyof typeof FILES;

/**
 * Reads a file of models/: in this package, else in the folder `models` beside the bundle that this
 * module is a part of.
 *
 * @throws an Error that names the folder to copy when it is in neither place
 */
export function readModelBytes(name: ModelName): Uint8Array {
  const own = import.meta.url ? readUnlessMissing(FILES[name]) : undefined;
  if (own) return own;
  const copy = join(moduleFolder(), 'models', `${name}.bin`);
  const copied = readUnlessMissing(() => readFileSync(copy));
  if (copied) return copied;
  throw new Error(
    `${copy} is missing: copy the folder models of @probity/pipeline beside the bundle, or leave ` +
      'the package out of the bundle.',
  );
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
