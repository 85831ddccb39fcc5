import { createRandom, type Random } from '../lib/random.ts';
import { expand, expandMany } from './expand.ts';
import type { MadeRow } from './injection.ts';
import { makeListings } from './listings.ts';
import { APPROVING_FRAMES, TOXIC } from './toxicity-attacks.ts';
import { REPORTING_FRAMES, SAFE } from './toxicity-benign.ts';
import { TOXICITY_SLOTS } from './toxicity-slots.ts';

const PER_CATEGORY = 1100;

/** Toxic texts of five categories and harmless ones near them; the same seed gives the same rows. */
export function generateToxicityRows(seed: number): MadeRow[] {
  const random = createRandom(seed);
  const rows: MadeRow[] = [];
  const cores: string[] = [];
  for (const [category, templates] of Object.entries(TOXIC)) {
    const texts = expandMany(templates, PER_CATEGORY, TOXICITY_SLOTS, random);
    cores.push(...texts);
    for (const text of texts) rows.push(toxic(frame(APPROVING_FRAMES, text, random), category));
  }
  for (const text of expandMany(SAFE, 3600, TOXICITY_SLOTS, random)) {
    rows.push({ text, label: 0, types: [], source: 'made_safe' });
  }
  for (const text of random.shuffle(cores).slice(0, 1200)) {
    const framed = frame(REPORTING_FRAMES, text, random);
    rows.push({ text: framed, label: 0, types: [], source: 'made_reported' });
  }
  for (const text of makeListings(500, random)) {
    rows.push({ text, label: 0, types: [], source: 'made_listing' });
  }
  return rows;
}

function toxic(text: string, category: string): MadeRow {
  return { text, label: 1, types: [category], source: `made_${category}` };
}

function frame(frames: readonly string[], text: string, random: Random): string {
  const made = expand(random.pick(frames), { x: ['\u0000'] }, random);
  return made.replace('\u0000', () => text);
}
