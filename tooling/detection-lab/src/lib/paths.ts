import { fileURLToPath } from 'node:url';

/** The workspace's folder; compiled, this file is in `dist/src/lib`. */
const WORKSPACE = new URL('../../../', import.meta.url);
const REPOSITORY = new URL('../../', WORKSPACE);

/** Rows written by hand, with a slash at the end. */
export const WRITTEN_FOLDER: string = fileURLToPath(new URL('written/', WORKSPACE));

/** Lists and templates of the generators. */
export const DATA_FOLDER: string = fileURLToPath(new URL('data/', WORKSPACE));

/** Where the pipeline has its models. */
export const MODELS_FOLDER: string = fileURLToPath(
  new URL('packages/pipeline/models/', REPOSITORY),
);

/** Where the pages on detection are. */
export const DOCS_FOLDER: string = fileURLToPath(new URL('docs/detection/', REPOSITORY));

/** What `scripts/peers.mjs` and `scripts/vectors.mjs` fetch into. */
export const CACHE_FOLDER: string = fileURLToPath(new URL('.cache/', REPOSITORY));

/** Where tables of measurements are. */
export const RESULTS_FOLDER: string = fileURLToPath(new URL('bench/results/', REPOSITORY));
