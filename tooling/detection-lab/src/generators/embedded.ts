import type { Random } from '@probity/test-support/random';
import { expand, expandMany } from './expand.ts';
import { DOCUMENT_INSTRUCTIONS, EMBEDDED, ORDERS, PAPERS } from './injection-templates.ts';

/**
 * What a document with something added is: with a task put into it, with an order about
 * the answer or about data, as it is (or with an order of its own), or with a request about it.
 */
type EmbeddedKind = 'task' | 'order' | 'clean' | 'about';

/** A document with or without something embedded in it. */
export interface EmbeddedText {
  readonly text: string;
  readonly kind: EmbeddedKind;
}

/** What to embed and where. */
export interface EmbeddingPlan {
  /** Documents of other people, beside the made ones. */
  readonly documents: readonly string[];
  /** Requests of other people; those of one short line are embedded. */
  readonly requests: readonly string[];
  /** Tasks and orders that were written by hand. */
  readonly tasks?: readonly string[];
  readonly orders?: readonly string[];
  /** Which theme of made orders and tasks is embedded. */
  readonly theme: number;
  /** How many documents of each kind, about. */
  readonly count: number;
}

const MOST_REQUEST = 260;

/** Documents with tasks and orders embedded in them, and as many harmless ones of the same material. */
export function embedRequests(plan: EmbeddingPlan, random: Random): EmbeddedText[] {
  const { documents, requests, theme, count } = plan;
  const short = requests.map((text) => text.trim()).filter(isOneRequest);
  const madeTasks = expandMany(ORDERS.taskThemes[theme] ?? [], count, ORDERS.slots, random);
  const orders = expandMany(ORDERS.orderThemes[theme] ?? [], count, ORDERS.slots, random);
  const made: EmbeddedText[] = [];
  const taskLists = [madeTasks, short, plan.tasks ?? []].filter(hasAny);
  const orderLists = [orders, orders, plan.orders ?? []].filter(hasAny);
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
    const paper = expand(random.pick(PAPERS.papers), { ...PAPERS.slots, here: ['\u0000'] }, random);
    return (sentence) => paper.replace('\u0000', () => sentence);
  }
  const parts = partsOf(random.pick(documents), random);
  return (sentence) => insert(parts, sentence, random);
}

/** A part of a document, cut where sentences or lines end; every second part is what separates. */
function partsOf(text: string, random: Random): string[] {
  const parts = text.trim().split(/((?<=[.!?])\s+|\n+)/);
  const sentences = Math.ceil(parts.length / 2);
  const most = 2 + random.below(14);
  const from = random.below(Math.max(1, sentences - most + 1));
  return parts.slice(2 * from, 2 * (from + most) - 1);
}

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
  const isFramed = random.next() < 0.3;
  const isCell = random.next() < 0.5;
  const replaced = isFramed && isCell ? replaceCell(parts.join(''), plain, random) : undefined;
  if (replaced !== undefined) return replaced;
  const sentence = isFramed ? random.pick(EMBEDDED.frames).replace('HERE', () => plain) : plain;
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

function leaveHarmless(document: Carrier, random: Random): EmbeddedText {
  const draw = random.next();
  if (draw < 0.5) {
    const order = expand(
      random.pick(DOCUMENT_INSTRUCTIONS.instructions),
      DOCUMENT_INSTRUCTIONS.slots,
      random,
    );
    return { text: document(order, random), kind: 'clean' };
  }
  const whole = document('', random);
  const request =
    draw < 0.8 ? expand(random.pick(EMBEDDED.aboutText), {}, random) : aboutWords(whole, random);
  const glue = random.pick(['\n\n', '\n', ' ']);
  const first = random.next() < 0.6;
  return { text: first ? `${request}${glue}${whole}` : `${whole}${glue}${request}`, kind: 'about' };
}

function aboutWords(text: string, random: Random): string {
  const words = text.match(/[\p{L}_]{5,20}/gu) ?? ['it'];
  const slots = { word: [random.pick(words)], other: [random.pick(words)] };
  return expand(random.pick(EMBEDDED.aboutWords), slots, random);
}
