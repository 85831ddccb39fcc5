import createRadixTree from 'find-my-way';
import type { Endpoint, HttpMethod } from './endpoint.ts';

/** The route of a path, with the values of the path's parameters, decoded. */
export interface RouteMatch<Route> {
  readonly route: Route;
  /** The declared path or alias. */
  readonly path: string;
  readonly params: Record<string, string>;
}

/** Looks up the route for a path. */
export interface Routes<Route> {
  /** The route for a method, or null, as for a path without a leading slash. HEAD is routed as GET. */
  find(method: string, path: string): RouteMatch<Route> | null;
  /** The methods of a path in alphabetical order; empty for an unknown path. */
  methodsAt(path: string): string[];
}

/** How a path is compared with those of endpoints. */
export type PathMatching = 'exact' | 'lenient';

/**
 * Builds a radix tree of the endpoints' paths and aliases. Paths match exactly in case and slashes by default;
 * of two matches, a fixed segment wins over a parameter in the same position. A parameter is never
 * empty.
 *
 * @param toRoute called once per endpoint
 * @param matching with 'lenient', letter case and a slash at the end of a path mean nothing; parameters keep their case
 * @throws Error when two endpoints have the same method and path
 */
export function createRoutes<Route>(
  endpoints: readonly Endpoint[],
  toRoute: (endpoint: Endpoint) => Route,
  matching: PathMatching = 'exact',
): Routes<Route> {
  // Node limits the length of a request line; the path has no query at this point.
  const tree = createRadixTree({
    maxParamLength: 1_000_000,
    querystringParser: () => null,
    ignoreTrailingSlash: matching === 'lenient',
    caseSensitive: matching === 'exact',
  });
  for (const endpoint of endpoints) {
    const route = toRoute(endpoint);
    for (const path of [endpoint.path, ...(endpoint.aliases ?? [])]) {
      const pattern = path.replace(/\{(\w+)\}/g, ':$1');
      tree.on(endpoint.method, pattern, () => undefined, { route, path });
    }
  }
  const methods = new Set(endpoints.map(({ method }) => method));
  const search = (method: string, path: string): RouteMatch<Route> | null => {
    const found = tree.find(method as HttpMethod, path);
    if (!found) return null;
    const params = found.params as Record<string, string>;
    for (const name in params) if (params[name] === '') return null;
    const { route, path: pattern } = found.store as { route: Route; path: string };
    return { route, path: pattern, params };
  };
  const find = (method: string, path: string) => {
    // The tree would skip what precedes the first slash.
    if (!path.startsWith('/')) return null;
    const wanted = method === 'HEAD' ? 'GET' : method;
    const found = search(wanted, path);
    // Malformed percent-encoding matches no resource; the text is kept unchanged.
    return found || !path.includes('%') ? found : search(wanted, path.replaceAll('%', '%25'));
  };
  return {
    find,
    methodsAt(path) {
      const answered: string[] = [...methods].filter((method) => find(method, path));
      return answered.includes('GET') ? [...answered, 'HEAD'].sort() : answered.sort();
    },
  };
}
