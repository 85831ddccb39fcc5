import type { CommandContext } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { EXIT } from '../exit-codes.ts';
import type { Column } from './table.ts';
import { formatTable } from './table.ts';
import { styled } from './text.ts';

/** How a list is printed. */
interface ListFlags {
  readonly limit: number;
  readonly json?: true;
}

const MAX_PAGE = 200;

/**
 * Prints up to `limit` items: a table on a terminal, JSON Lines elsewhere.
 * @param open the listing with a size of pages
 */
export async function printListing<Item>(
  open: (pageSize: number) => AsyncIterable<Item>,
  columns: readonly Column<Item>[],
  { limit, json }: ListFlags,
  { out }: CommandContext,
): Promise<ExitCode> {
  const listing = open(Math.min(limit, MAX_PAGE));
  if (out.isTerminal && !json) {
    const items: Item[] = [];
    for await (const item of listing) if (items.push(item) >= limit) break;
    const text =
      items.length === 0 ? styled('none\n', 'faint', out) : formatTable(items, columns, out);
    await out.write(text);
    return EXIT.ok;
  }
  let printed = 0;
  for await (const item of listing) {
    await out.write(`${JSON.stringify(item)}\n`);
    printed += 1;
    if (printed >= limit || out.isClosed) break;
  }
  return EXIT.ok;
}
