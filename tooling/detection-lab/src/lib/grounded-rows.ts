import { createRandom, hashText } from '@probity/test-support/random';
import type { Row } from './rows.ts';
import { parseRow, readLines } from './rows.ts';
import { bySource } from './splits.ts';

/** So many rows of one source and label are taken at most. */
const MOST = 500;
/** Share-alike texts: such rows only measure, see LICENCES.md of the data. */
const SHARE_ALIKE = /wikipedia/;
const SHARE_ALIKE_SOURCES: ReadonlySet<string> = new Set(['fever_symmetric']);
/** Evidence of these is data, which no trees judge. */
const DATA = /^(?:own_tools|tatqa|tau_bench)/;

/** Rows of `DIR/groundedness2/train.jsonl.gz` that weights may learn from: of a free licence, over prose. */
export function readGroundedRows(dataDir: string): Row[] {
  const all = readLines(`${dataDir}/groundedness2/train.jsonl.gz`, (line, place) =>
    parseRow(line, place, { task: 'hallucination' }),
  );
  const free = all.filter(
    ({ source, labels }) =>
      !SHARE_ALIKE.test(String(labels.upstream)) &&
      !SHARE_ALIKE_SOURCES.has(source) &&
      !DATA.test(source),
  );
  return [...bySource(free).values()].flatMap((rows) =>
    [0, 1].flatMap((label) => {
      const own = rows.filter((row) => row.label === label);
      const draw = new Map(own.map(({ id }) => [id, createRandom(hashText(id)).next()]));
      const drawn = (row: Row) => draw.get(row.id) as number;
      return own.sort((a, b) => drawn(a) - drawn(b)).slice(0, MOST);
    }),
  );
}
