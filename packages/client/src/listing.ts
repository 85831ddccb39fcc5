import { ResponseError } from './errors.ts';
import type { Page, PageFacts } from './page.ts';
import { createPage, itemsOf, pagesFrom } from './page.ts';

/**
 * A list of the API, as a promise of its first page and as its items, whichever is wanted:
 *
 * - `await list` requests one page, the one at `offset` of the query, with `items` and `total`;
 * - `for await (const item of list)` requests one page after the other and returns each item.
 *
 * Nothing is requested before. A server that answers another page than the one that was asked for is an error. `limit` of the query is the size of a page. `await` of the same list again gives
 * the same page; every iteration and every call of a method requests anew.
 *
 * Pages are counted from the beginning of the list. An item that moves to the next page because
 * another was added is returned once; one that moves to an earlier page because another was removed
 * is not returned: collect the items first (`all`) to remove them.
 */
export interface Listing<Item> extends Promise<Page<Item>>, AsyncIterable<Item> {
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
  request: (query: Query) => Promise<PageFacts<Item>>,
): Listing<Item> {
  let awaited: Promise<Page<Item>> | undefined;
  async function page(each: Query = query): Promise<Page<Item>> {
    return createPage(await request(each), next);
  }
  async function next(offset: number): Promise<Page<Item>> {
    const found = await page({ ...query, offset });
    // Else the same page would be read for ever.
    if (found.offset === offset) return found;
    const message = `The page at offset ${offset} was asked for, and that at ${found.offset} answered.`;
    throw new ResponseError(`${message} Does a proxy remove the query?`, {
      code: 'invalid_response',
    });
  }
  function first(): Promise<Page<Item>> {
    awaited ??= page();
    return awaited;
  }
  async function* pages(): AsyncGenerator<Page<Item>, void, undefined> {
    yield* pagesFrom(await page());
  }
  const items = () => itemsOf(pages());
  return Object.freeze({
    page: () => page(),
    pages,
    async all() {
      const list: Item[] = [];
      for await (const item of items()) list.push(item);
      return list;
    },
    [Symbol.asyncIterator]: items,
    // biome-ignore lint/suspicious/noThenProperty: a list is awaited as other calls are
    then: (...handlers: Parameters<Promise<Page<Item>>['then']>) => first().then(...handlers),
    catch: (...handlers: Parameters<Promise<Page<Item>>['catch']>) => first().catch(...handlers),
    finally: (handler?: () => void) => first().finally(handler),
    [Symbol.toStringTag]: 'Listing',
  }) as Listing<Item>;
}
