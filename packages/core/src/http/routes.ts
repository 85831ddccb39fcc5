import createRadixTree from 'find-my-way';
import type { Endpoint, HttpMethod } from './endpoint.ts';

/** An endpoint that a path led to, with the values of its path's parameters, decoded. */
interface RouteMatch<Route> {
  readonly route: Route;
  readonly params: Record<string, string>;
}

/** Finds what stands at a path. */
export interface Routes<Route> {
  /** What answers the method there, or null. HEAD is answered as GET is. */
  find(method: string, path: string): RouteMatch<Route> | null;
  /** The methods that are answered there, in alphabetical order; empty where nothing stands. */
  methodsAt(path: string): string[];
}

/**
 * Makes a tree of the endpoints' paths. Paths are exact in case and in slashes; of two that fit,
 * one with a text goes before one with a parameter in the same place. A parameter is never empty.
 *
 * @param toRoute makes what is found of an endpoint
 * @throws Error when two endpoints stand at the same method and path
 */
export function createRoutes<Route>(
  endpoints: readonly Endpoint[],
  prefix: string,
  toRoute: (endpoint: Endpoint) => Route,
): Routes<Route> {
  // Node limits how long a request line may be; a path has no query any more.
  const tree = createRadixTree({ maxParamLength: 1_000_000, querystringParser: () => null });
  for (const endpoint of endpoints) {
    const path = prefix + endpoint.path.replace(/\{(\w+)\}/g, ':$1');
    tree.on(endpoint.method, path, () => undefined, toRoute(endpoint));
  }
  const methods = new Set(endpoints.map(({ method }) => method));
  const search = (method: string, path: string): RouteMatch<Route> | null => {
    const found = tree.find(method as HttpMethod, path);
    if (!found) return null;
    const params = found.params as Record<string, string>;
    for (const name in params) if (params[name] === '') return null;
    return { route: found.store as Route, params };
  };
  const find = (method: string, path: string) => {
    const wanted = method === 'HEAD' ? 'GET' : method;
    const found = search(wanted, path);
    // Text that is not well-formed percent-encoding names nothing that we have; it stays as it is.
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
