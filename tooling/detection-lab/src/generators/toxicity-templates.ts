import { readDataFile } from '../lib/data-file.ts';

const toxic = readDataFile('toxicity/toxic');
const safe = readDataFile('toxicity/safe');
const hostile = readDataFile('toxicity/hostile-posts');
const harmless = readDataFile('toxicity/harmless-posts');
const contrasts = readDataFile('toxicity/contrasts');

/** Toxic templates by category, and sentences that approve of what they quote. */
export const TOXIC = {
  categories: toxic.lists('categories'),
  approvingFrames: toxic.list('approvingFrames'),
};

/** Harmless templates, and sentences that report what they quote. */
export const SAFE = {
  templates: safe.list('safe'),
  reportingFrames: safe.list('reportingFrames'),
};

/** Sentences of longer toxic texts by category, requests for harm, and crimes. */
export const HOSTILE = {
  categories: hostile.lists('categories'),
  requests: hostile.list('harmfulRequests'),
  crimes: hostile.list('crimes'),
};

/** Sentences of longer harmless texts by subject, and harmless questions near requests for harm. */
export const HARMLESS = {
  subjects: harmless.lists('subjects'),
  questions: harmless.list('safeQuestions'),
};

/** Toxic templates beside harmless ones of nearly the same words: who is meant, and how, decides. */
export const CONTRASTS = {
  slots: contrasts.lists('slots'),
  pairs: contrasts.entries('contrasts', (entry) => ({
    category: entry.text('category'),
    toxic: entry.list('toxic'),
    harmless: entry.list('harmless'),
  })),
};

/** Word lists of the templates. */
export const TOXICITY_SLOTS = readDataFile('toxicity/slots').lists('slots');
