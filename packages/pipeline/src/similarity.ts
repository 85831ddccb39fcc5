import { loadPart } from './libraries.ts';
import type { similarity as measure } from './truth/similarity.ts';

interface Part {
  readonly similarity: typeof measure;
}

/** How alike two sentences are in meaning, 0 to 1; symmetric. Of longer texts the first 120 words count. */
export function similarity(a: string, b: string): number {
  return loadPart<Part>('./truth/similarity.js').similarity(a, b);
}
