import { createRandom } from '@probity/test-support/random';
import { embedRequests } from './embedded.ts';
import type { MadeRow } from './injection.ts';
import type { WrittenMaterial } from './written-injection.ts';

/** Documents of each kind for each fold, about. */
const COUNT = 600;
const DOCUMENT = /^(?:tech_docs|handbook|lincoln|promptbook|oasst_replies|indirect_\w+_clean)/;
const REQUEST =
  /^(?:arena|ifeval|selfinstruct|strategyqa|mt_bench|vicuna|oasst_prompts|gsm8k|own_benign|bipia)/;

/**
 * Requests embedded in documents, and harmless ones of the same material. What is joined comes from
 * sources of one fold, and the fold's number ends the source's name, so that a row is held out
 * together with both.
 */
export function embedInRows(
  rows: readonly { readonly text: string; readonly source: string }[],
  folds: readonly RegExp[],
  written: WrittenMaterial,
  seed: number,
): MadeRow[] {
  const random = createRandom(seed);
  return folds.flatMap((fold, theme) => {
    const own = rows.filter(({ source }) => fold.test(source));
    const textsOf = (kind: RegExp) =>
      own.filter(({ source }) => kind.test(source)).map(({ text }) => text);
    const plan = {
      documents: [...textsOf(DOCUMENT), ...(written.documents[theme] ?? [])],
      tasks: written.tasks[theme] ?? [],
      orders: written.orders[theme] ?? [],
      requests: textsOf(REQUEST),
      theme,
      count: COUNT,
    };
    return embedRequests(plan, random).map(({ text, kind }): MadeRow => {
      const label = kind === 'task' || kind === 'order' ? 1 : 0;
      return { text, label, types: [], source: `planted_${kind}_${theme}` };
    });
  });
}
