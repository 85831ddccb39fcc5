/** A window of a list: skip `offset` items, then return at most `limit`. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** Default and maximum page size (contract, section 3). */
export const DEFAULT_PAGE_LIMIT = 50;
export const MAX_PAGE_LIMIT = 200;

/** One page of a list and the length of the whole list. */
export interface PageOf<Item> {
  readonly items: readonly Item[];
  readonly total: number;
}

/** The members of every list response besides its array. */
export interface PageInfo {
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  readonly has_more: boolean;
}

/** The paging members of a list response (specification, "Pagination"). */
export function toPageInfo(page: Page, total: number): PageInfo {
  return {
    total,
    limit: page.limit,
    offset: page.offset,
    has_more: page.offset + page.limit < total,
  };
}
