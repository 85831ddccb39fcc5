import type { Random } from '@probity/test-support/random';
import { expand, expandMany } from './expand.ts';
import { ORDER_SLOTS, ORDER_THEMES, TASK_THEMES } from './injection-orders.ts';
import { PAPER_SLOTS, PAPERS } from './injection-papers.ts';
import { OWN_ORDER_SLOTS, OWN_ORDERS } from './own-orders.ts';

/**
 * What a document with something added is: with a task that somebody planted, with an order about
 * the answer or about data, as it is (or with an order of its own), or with a request about it.
 */
type PlantKind = 'task' | 'order' | 'clean' | 'about';

/** A document with or without something planted in it. */
export interface PlantedText {
  readonly text: string;
  readonly kind: PlantKind;
}

/** What to plant and where. */
export interface Plantation {
  /** Documents of other people, beside the made ones. */
  readonly documents: readonly string[];
  /** Requests of other people; those of one short line are planted. */
  readonly requests: readonly string[];
  /** Tasks and orders that were written by hand. */
  readonly tasks?: readonly string[];
  readonly orders?: readonly string[];
  /** Which theme of made orders and tasks is planted. */
  readonly theme: number;
  /** How many documents of each kind, about. */
  readonly count: number;
}

const MOST_REQUEST = 260;
const ABOUT = [
  'Summarise the following text[ in one sentence| for a child|]:',
  'What is the main point of this text?',
  'Translate [this|the text below|the following] into [French|German|Spanish|Italian].',
  'Rewrite this [in a friendlier tone|so that it is shorter|as a list].',
  'Explain the text [above|below] in simple words.',
  'Answer the question from the document[ below|].',
  'Correct the grammar of the following.',
  'Given the document, [list the key facts|what should I do first|who is responsible|when does it apply]?',
  'Is this [correct|still up to date|a good explanation|too long]?',
  'I found this online. What does it mean?',
  'Write a [title|tweet|short reply|headline] for this [text|passage|message].',
  'Turn this into [bullet points|a table|an email].',
  'Which row of the table has the [highest|lowest] value?',
  'How many [entries|lines|names|orders] are there in this list?',
  'Extract all [dates|names|amounts|places] from this.',
  'Reply to this message [politely|and say that I agree|in two sentences].',
];
const ABOUT_WORD = [
  'What does it say about {word}?',
  'How does {word} work here?',
  'Explain {word}.',
  'Why is {word} mentioned?',
  'Does the text mention {word} or {other}?',
  'What is the difference between {word} and {other}?',
  'How do I use {word} with {other}?',
  'Who is responsible for {word}?',
  'Write a summary about {word}.',
];

/** Documents with tasks and orders planted in them, and as many harmless ones of the same material. */
export function plantRequests(plantation: Plantation, random: Random): PlantedText[] {
  const { documents, requests, theme, count } = plantation;
  const short = requests.map((text) => text.trim()).filter(isOneRequest);
  const madeTasks = expandMany(TASK_THEMES[theme] ?? [], count, ORDER_SLOTS, random);
  const orders = expandMany(ORDER_THEMES[theme] ?? [], count, ORDER_SLOTS, random);
  const made: PlantedText[] = [];
  const taskLists = [madeTasks, short, plantation.tasks ?? []].filter(hasAny);
  const orderLists = [orders, orders, plantation.orders ?? []].filter(hasAny);
  for (let turn = 0; turn < count; turn++) {
    const document = () => pickDocument(documents, random);
    const task = random.pick(taskLists[turn % taskLists.length] as readonly string[]);
    const order = random.pick(orderLists[turn % orderLists.length] as readonly string[]);
    made.push({ text: document()(task, random), kind: 'task' });
    made.push({ text: document()(order, random), kind: 'order' });
    made.push({ text: document()('', random), kind: 'clean' });
    made.push(leaveHarmless(document(), random));
  }
  return made;
}

function hasAny(list: readonly string[]): boolean {
  return list.length > 0;
}

function isOneRequest(text: string): boolean {
  return text.length >= 12 && text.length <= MOST_REQUEST && !text.includes('\n');
}

/** Writes a document with a sentence in it, or without one. */
type Carrier = (sentence: string, random: Random) => string;

function pickDocument(documents: readonly string[], random: Random): Carrier {
  if (documents.length === 0 || random.next() < 0.5) {
    const paper = expand(random.pick(PAPERS), { ...PAPER_SLOTS, here: ['\u0000'] }, random);
    return (sentence) => paper.replace('\u0000', () => sentence);
  }
  const parts = partsOf(random.pick(documents), random);
  return (sentence) => insert(parts, sentence, random);
}

/** A stretch of a document, cut where sentences or lines end; every second part is what separates. */
function partsOf(text: string, random: Random): string[] {
  const parts = text.trim().split(/((?<=[.!?])\s+|\n+)/);
  const sentences = Math.ceil(parts.length / 2);
  const most = 2 + random.below(14);
  const from = random.below(Math.max(1, sentences - most + 1));
  return parts.slice(2 * from, 2 * (from + most) - 1);
}

/** How a sentence stands in a document, where not among its sentences. */
const WRAPS = [
  '<!-- HERE -->',
  '# HERE',
  '// HERE',
  '"HERE"',
  '> HERE',
  '- HERE',
  '* HERE',
  'Note: HERE',
  'PS: HERE',
  '(HERE)',
  '[10:42] nora: HERE',
  'Comment: HERE',
  '7. HERE',
  '<p>HERE</p>',
  '**HERE**',
];
const CELL = /(?<=[|,;\t]|": ?")[^|,;\t\n"]{3,60}(?=[|,;\t"])/g;

/** Puts a sentence in the place of a cell or a value; undefined where there is none. */
function replaceCell(text: string, sentence: string, random: Random): string | undefined {
  const cells = [...text.matchAll(CELL)];
  if (cells.length < 6) return undefined;
  const cell = random.pick(cells);
  const end = cell.index + cell[0].length;
  return `${text.slice(0, cell.index)} ${sentence} ${text.slice(end)}`;
}

function insert(parts: readonly string[], plain: string, random: Random): string {
  if (plain === '') return parts.join('');
  const isWrapped = random.next() < 0.3;
  const isCell = random.next() < 0.5;
  const replaced = isWrapped && isCell ? replaceCell(parts.join(''), plain, random) : undefined;
  if (replaced !== undefined) return replaced;
  const sentence = isWrapped ? random.pick(WRAPS).replace('HERE', () => plain) : plain;
  const sentences = Math.ceil(parts.length / 2);
  const draw = random.next();
  const at = draw < 0.25 ? 0 : draw < 0.55 ? sentences : random.below(sentences + 1);
  const before = parts.slice(0, Math.max(0, 2 * at - 1)).join('');
  const after = parts.slice(2 * at).join('');
  const glue = () => random.pick([' ', ' ', '\n', '\n\n']);
  return [before, before === '' ? '' : glue(), sentence, after === '' ? '' : glue(), after].join(
    '',
  );
}

function leaveHarmless(document: Carrier, random: Random): PlantedText {
  const draw = random.next();
  if (draw < 0.5) {
    const order = expand(random.pick(OWN_ORDERS), OWN_ORDER_SLOTS, random);
    return { text: document(order, random), kind: 'clean' };
  }
  const whole = document('', random);
  const request = draw < 0.8 ? expand(random.pick(ABOUT), {}, random) : aboutWords(whole, random);
  const glue = random.pick(['\n\n', '\n', ' ']);
  const first = random.next() < 0.6;
  return { text: first ? `${request}${glue}${whole}` : `${whole}${glue}${request}`, kind: 'about' };
}

function aboutWords(text: string, random: Random): string {
  const words = text.match(/[\p{L}_]{5,20}/gu) ?? ['it'];
  const slots = { word: [random.pick(words)], other: [random.pick(words)] };
  return expand(random.pick(ABOUT_WORD), slots, random);
}
