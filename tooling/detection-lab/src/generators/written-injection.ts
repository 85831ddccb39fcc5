import { hashText } from '@probity/test-support/random';
import type { Row } from '../lib/rows.ts';
import type { MadeRow } from './injection.ts';

/** Written rows with the fold that they are held out with. */
export interface WrittenMaterial {
  readonly rows: readonly MadeRow[];
  /** Clean documents by fold. */
  readonly documents: readonly (readonly string[])[];
  /** What was embedded in documents, by fold, where the same document is there without it. */
  readonly tasks: readonly (readonly string[])[];
  readonly orders: readonly (readonly string[])[];
}

/**
 * Sorts the rows of `written/injection-*.jsonl` into `folds` parts, those of one group together; a row's source is
 * `written_KIND_FOLD`.
 */
export function sortWritten(rows: readonly Row[], folds: number): WrittenMaterial {
  const foldOf = ({ group, id }: Row) => hashText(group ?? id) % folds;
  const lists = () => Array.from({ length: folds }, (): string[] => []);
  const [documents, tasks, orders] = [lists(), lists(), lists()];
  const clean = new Map<string, string>();
  for (const row of rows) {
    if (fileOf(row) !== 'clean') continue;
    documents[foldOf(row)]?.push(row.text);
    if (row.group !== undefined) clean.set(row.group, row.text);
  }
  for (const row of rows) {
    if (fileOf(row) !== 'planted') continue;
    const added = addedTo(clean.get(row.group ?? '') ?? '', row.text);
    if (added === undefined) continue;
    (row.labels.kind === 'task' ? tasks : orders)[foldOf(row)]?.push(added);
  }
  const sorted = rows.map((row): MadeRow => {
    const { text, types } = row;
    const label = row.label === 1 ? 1 : 0;
    return { text, label, types, source: `written_${kindOf(row)}_${foldOf(row)}` };
  });
  return { rows: sorted, documents, tasks, orders };
}

/** Kinds of technical texts about attacks and prompts, often in their very words. */
const TALK = /^(?:llm|security|glossary|faq|spec)$/;

function kindOf(row: Row): string {
  const file = fileOf(row);
  const kind = String(row.labels.kind);
  if (file === 'techdocs' && TALK.test(kind)) return 'talk';
  return file === 'planted' ? `planted_${kind}` : file;
}

/** What the file of a row has, by the file's name. */
function fileOf({ source, label }: Row): string {
  if (source.endsWith('direct')) return label === 1 ? 'attacks' : 'lookalikes';
  return /planted|clean|techdocs|lookalikes|attacks/.exec(source)?.[0] ?? 'harmless';
}

/** The one span that `longer` has more than `text`; undefined where it is no single request. */
function addedTo(text: string, longer: string): string | undefined {
  if (text === '') return undefined;
  let before = 0;
  while (before < text.length && text[before] === longer[before]) before++;
  let behind = 0;
  const most = text.length - before;
  while (behind < most && text[text.length - 1 - behind] === longer[longer.length - 1 - behind]) {
    behind++;
  }
  if (before + behind < text.length - 4) return undefined;
  const length = longer.length - behind - before;
  const from = slideBack(longer, before, length);
  const added = longer.slice(from, from + length).trim();
  return added.length >= 12 && added.length <= 400 ? added : undefined;
}

/**
 * Where a span of `length` that was found at `start` may as well begin, where a line or a sentence
 * does: of "a b a c", what was added to "a c" is "a b " rather than "b a ".
 */
function slideBack(text: string, start: number, length: number): number {
  for (let at = start; at > 0 && start - at < length; at--) {
    if (/[\n>"|,;:.!?] ?$/.test(text.slice(Math.max(0, at - 2), at))) return at;
    if (text[at - 1] !== text[at + length - 1]) return start;
  }
  return start;
}
