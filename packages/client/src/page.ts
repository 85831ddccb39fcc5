/** A part of a list. `for await` over it returns its items and then those of the pages after it. */
export interface Page<Item> extends AsyncIterable<Item> {
  readonly items: readonly Item[];
  /** Number of all items that match, at the time of the answer. */
  readonly total: number;
  /** The largest number of items of a page. */
  readonly limit: number;
  /** Number of items before the page. */
  readonly offset: number;
  readonly hasMore: boolean;
  /** Requests the page after this one; null after the last. */
  next(): Promise<Page<Item> | null>;
}

/** What the server answers of a page. */
export type PageFacts<Item> = Pick<Page<Item>, 'items' | 'total' | 'limit' | 'offset' | 'hasMore'>;

/**
 * Creates a page. Its functions are no members that are enumerated: a page prints and compares as what was answered.
 * @param request requests the page at an offset
 */
export function createPage<Item>(
  facts: PageFacts<Item>,
  request: (offset: number) => Promise<Page<Item>>,
): Page<Item> {
  const { items, offset, hasMore } = facts;
  const page = { ...facts };
  Object.defineProperties(page, {
    next: {
      value: async () => (hasMore && items.length > 0 ? request(offset + items.length) : null),
    },
    [Symbol.asyncIterator]: { value: () => itemsOf(pagesFrom(page as Page<Item>)) },
  });
  return Object.freeze(page) as Page<Item>;
}

/** The page and those after it, each requested when it is asked for. */
export async function* pagesFrom<Item>(
  first: Page<Item>,
): AsyncGenerator<Page<Item>, void, undefined> {
  for (let page: Page<Item> | null = first; page !== null; page = await page.next()) yield page;
}

/** The items of pages, without those that the page before had already. */
export async function* itemsOf<Item>(
  pages: AsyncIterable<Page<Item>>,
): AsyncGenerator<Item, void, undefined> {
  let previous = new Set<unknown>();
  for await (const { items } of pages) {
    for (const item of items) {
      const id = idOf(item);
      if (id === undefined || !previous.has(id)) yield item;
    }
    previous = new Set(items.map(idOf));
  }
}

function idOf(item: unknown): unknown {
  return typeof item === 'object' && item !== null && 'id' in item ? item.id : undefined;
}
