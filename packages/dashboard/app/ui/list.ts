import type { Listing } from '@probity/client';
import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { useLocation } from 'preact-iso';
import { mount } from '../api/connection.ts';

const LIMIT = 50;
/** Between two requests of a list with items that will change by themselves. */
const POLL_MS = 2_000;

/** A page of a list of the API. */
export interface Listed<Item> {
  /** Undefined until the first answer. */
  readonly items: readonly Item[] | undefined;
  readonly total: number;
  readonly offset: number;
  readonly limit: number;
  readonly error: Error | null;
  readonly retry: () => void;
  /** The address of the page that begins there, with the filters as they are. */
  readonly href: (offset: number) => string;
}

/** The filters of the address and the page it asks for. */
export function useFilters(): {
  readonly filters: Readonly<Record<string, string>>;
  readonly offset: number;
} {
  const { query } = useLocation();
  const { offset = '0', ...filters } = query;
  return { filters, offset: Math.max(0, Number.parseInt(offset, 10) || 0) };
}

/**
 * Lists from the API: the page of the address, kept while the next one loads, and loaded again while an item on it
 * is waiting.
 */
export function useList<Item>(
  key: readonly unknown[],
  list: (query: { readonly limit: number; readonly offset: number }) => Listing<Item>,
  isWaiting: (item: Item) => boolean = () => false,
): Listed<Item> {
  const { path, query } = useLocation();
  const { filters, offset } = useFilters();
  const asked = useQuery({
    queryKey: [...key, filters, offset],
    queryFn: () => list({ limit: LIMIT, offset }).page(),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(isWaiting) ? POLL_MS : false),
  });
  return {
    items: asked.data?.items,
    total: asked.data?.total ?? 0,
    offset,
    limit: LIMIT,
    error: asked.error,
    retry: () => void asked.refetch(),
    href(start) {
      const parameters = new URLSearchParams({ ...query, offset: String(start) });
      return `${path.slice(mount.pathname.length)}?${parameters}`;
    },
  };
}
