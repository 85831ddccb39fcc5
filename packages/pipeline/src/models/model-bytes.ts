import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The files of models/. Each is a literal `new URL` with `import.meta.url`, which bundlers with assets
 * and tracers of files recognize; a bundle in CommonJS has no such URL, so it is made at the read.
 */
const FILES = {
  'hallucination-free': () => new URL('../../../models/hallucination-free.bin', import.meta.url),
  hallucination: () => new URL('../../../models/hallucination.bin', import.meta.url),
  'injection-place': () => new URL('../../../models/injection-place.bin', import.meta.url),
  'injection-topics': () => new URL('../../../models/injection-topics.bin', import.meta.url),
  injection: () => new URL('../../../models/injection.bin', import.meta.url),
  relations: () => new URL('../../../models/relations.bin', import.meta.url),
  'toxicity-classes': () => new URL('../../../models/toxicity-classes.bin', import.meta.url),
  toxicity: () => new URL('../../../models/toxicity.bin', import.meta.url),
  'truth-against': () => new URL('../../../models/truth-against.bin', import.meta.url),
  words: () => new URL('../../../models/words.bin', import.meta.url),
} as const;

/** A file of models/, without its ending. */
export type ModelName = keyof typeof FILES;

/**
 * Reads a file of models/: in this package, else in the folder `models` beside the bundle that this
 * module is a part of.
 *
 * @throws an Error that names both places
 */
export function readModelBytes(name: ModelName): Uint8Array {
  const own = ownPath(name);
  if (own && existsSync(own)) return readFileSync(own);
  const copy = join(moduleFolder(), 'models', `${name}.bin`);
  if (existsSync(copy)) return readFileSync(copy);
  throw new Error(
    `The model ${name}.bin is neither at ${own} nor at ${copy}: copy the folder models of ` +
      '@probity/pipeline beside the bundle, or leave the package out of the bundle.',
  );
}

function ownPath(name: ModelName): string | undefined {
  return import.meta.url ? fileURLToPath(FILES[name]()) : undefined;
}

/** Bundles in CommonJS have `__dirname` in place of `import.meta.url`. */
function moduleFolder(): string {
  return import.meta.url ? dirname(fileURLToPath(import.meta.url)) : __dirname;
}
