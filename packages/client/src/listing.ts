/** A part of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Number of all items that match, at the time of the answer. */
  readonly total: number;
  /** The largest number of items of a page. */
  readonly limit: number;
  /** Number of items before the page. */
  readonly offset: number;
  readonly hasMore: boolean;
}

/**
 * A list of the API. Nothing is requested before it is read: by `for await`, which requests one page
 * after the other and returns each item; or by one of the methods. `limit` and `offset` of the query
 * are the size of a page and the first item.
 *
 * Pages are counted from the beginning of the list. An item that moves to the next page because
 * another was added is returned once; one that moves to an earlier page because another was removed
 * is not returned: collect the items first (`all`) to remove them.
 */
export interface Listing<Item> extends AsyncIterable<Item> {
  /** Requests one page, the one at `offset` of the query. */
  page(): Promise<Page<Item>>;
  /** The pages one after the other. */
  pages(): AsyncIterable<Page<Item>>;
  /** Requests every page and returns all items. */
  all(): Promise<Item[]>;
}

type Query = Readonly<Record<string, unknown>>;

/** Creates a listing over a function that requests the page of a query. */
export function createListing<Item>(
  query: Query,
  request: (query: Query) => Promise<Page<Item>>,
): Listing<Item> {
  async function* pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let page = await request(query);
    yield page;
    while (page.hasMore && page.items.length > 0) {
      page = await request({ ...query, offset: page.offset + page.items.length });
      yield page;
    }
  }
  async function* items(): AsyncGenerator<Item, void, undefined> {
    let previous = new Set<unknown>();
    for await (const page of pages()) {
      const ids = new Set(page.items.map(idOf));
      for (const item of page.items) {
        const id = idOf(item);
        if (id === undefined || !previous.has(id)) yield item;
      }
      previous = ids;
    }
  }
  return Object.freeze({
    page: () => request(query),
    pages,
    [Symbol.asyncIterator]: items,
    async all() {
      const list: Item[] = [];
      for await (const item of items()) list.push(item);
      return list;
    },
  });
}

function idOf(item: unknown): unknown {
  return typeof item === 'object' && item !== null && 'id' in item ? item.id : undefined;
}
