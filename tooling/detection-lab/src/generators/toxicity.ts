import type { Random } from '@probity/test-support/random';
import { createRandom } from '@probity/test-support/random';
import { expand, expandMany } from './expand.ts';
import type { MadeRow } from './injection.ts';
import { makeListings } from './listings.ts';
import { CONTRASTS, HARMLESS, HOSTILE, SAFE, TOXIC, TOXICITY_SLOTS } from './toxicity-templates.ts';
import { HOSTILE_WORDS, wordsOf } from './word-classes.ts';

const PER_CATEGORY = 1100;
const POSTS = 700;
const PER_CONTRAST = 400;

const SLOTS = {
  ...TOXICITY_SLOTS,
  ...CONTRASTS.slots,
  insult: [...(TOXICITY_SLOTS.insult ?? []), ...wordsOf(HOSTILE_WORDS, ['insult'])],
  slurs: wordsOf(HOSTILE_WORDS, ['slur_race', 'slur_orientation', 'slur_disability', 'slur_women']),
  crime: HOSTILE.crimes,
  num2: ['14', '23', '31', '7', '18', '45', '9', '52'],
};

/** Toxic texts of five categories and harmless ones near them; the same seed gives the same rows. */
export function generateToxicityRows(seed: number): MadeRow[] {
  const random = createRandom(seed);
  const rows: MadeRow[] = [];
  const cores: string[] = [];
  for (const [category, templates] of Object.entries(TOXIC.categories)) {
    const texts = expandMany(templates, PER_CATEGORY, SLOTS, random);
    cores.push(...texts);
    for (const text of texts)
      rows.push(toxic(frame(TOXIC.approvingFrames, text, random), category));
  }
  for (const text of expandMany(SAFE.templates, 3600, SLOTS, random)) rows.push(safe(text, 'safe'));
  for (const text of random.shuffle(cores).slice(0, 1200)) {
    rows.push(safe(frame(SAFE.reportingFrames, text, random), 'reported'));
  }
  for (const text of makeListings(500, random)) rows.push(safe(text, 'listing'));
  rows.push(...makePosts(random), ...makeRequests(random), ...makeContrasts(random));
  return rows;
}

/** Longer texts: several sentences of one subject, with what else people write in between. */
function makePosts(random: Random): MadeRow[] {
  const rows: MadeRow[] = [];
  for (const [category, sentences] of Object.entries(HOSTILE.categories)) {
    const mixed = random.shuffle(sentences);
    for (let at = 0; at < POSTS; at++) {
      const first = mixed[at % mixed.length] as string;
      rows.push(
        toxic(
          register(post(first, sentences, category === 'sexual_content' ? 5 : 3, random), random),
          `${category}`,
          'post_',
        ),
      );
    }
  }
  for (const [subject, sentences] of Object.entries(HARMLESS.subjects)) {
    for (let at = 0; at < POSTS; at++) {
      const first = sentences[at % sentences.length] as string;
      rows.push(safe(register(post(first, sentences, 5, random), random), `calm_${subject}`));
    }
  }
  return rows;
}

function post(first: string, sentences: readonly string[], most: number, random: Random): string {
  const parts = [first];
  const count = random.below(most);
  for (let at = 0; at < count; at++) parts.push(random.pick(sentences));
  const ordinary = HARMLESS.subjects.ordinary as readonly string[];
  if (random.next() < 0.25) parts.splice(random.below(parts.length), 0, random.pick(ordinary));
  return parts.map((part) => expand(part, SLOTS, random)).join(random.next() < 0.1 ? '\n' : ' ');
}

function makeRequests(random: Random): MadeRow[] {
  return [
    ...expandMany(HOSTILE.requests, 1300, SLOTS, random).map(
      (text): MadeRow => ({ text, label: 1, types: [], source: 'made_request' }),
    ),
    ...expandMany(HARMLESS.questions, 1300, SLOTS, random).map((text) => safe(text, 'question')),
  ];
}

/** As many toxic as harmless texts of nearly the same words. */
function makeContrasts(random: Random): MadeRow[] {
  return CONTRASTS.pairs.flatMap(({ category, toxic: hostile, harmless }) => [
    ...expandMany(hostile, PER_CONTRAST, SLOTS, random).map((text) =>
      toxic(register(text, random), category, 'contrast_'),
    ),
    ...expandMany(harmless, PER_CONTRAST, SLOTS, random).map((text) =>
      safe(register(text, random), 'contrast'),
    ),
  ]);
}

/** How people write on different platforms: small letters, no full stops, names and tags. */
function register(text: string, random: Random): string {
  const kind = random.next();
  if (kind < 0.55) return text;
  let made = text;
  if (kind < 0.8) made = made.toLowerCase();
  if (kind > 0.7) made = made.replace(/[.,;]/g, '');
  if (kind > 0.85)
    made = `${random.pick(['@user ', 'RT @user: ', '<Person> ', 'lol ', '&gt; ', 'So, '])}${made}`;
  if (kind > 0.92)
    made = `${made} ${random.pick(['#fail', 'lol', 'smh', '<URL>', '!!!', '😂', 'tbh'])}`;
  return made;
}

function toxic(text: string, category: string, kind = ''): MadeRow {
  return { text, label: 1, types: [category], source: `made_${kind}${category}` };
}

function safe(text: string, kind: string): MadeRow {
  return { text, label: 0, types: [], source: `made_${kind}` };
}

function frame(frames: readonly string[], text: string, random: Random): string {
  const made = expand(random.pick(frames), { x: ['\u0000'] }, random);
  return made.replaceAll('\u0000', () => text);
}
