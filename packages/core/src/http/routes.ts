import type { Endpoint } from './endpoint.ts';

/** An endpoint that a path led to, with the values of its path's parameters, decoded. */
export interface RouteMatch<Route> {
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

/** A place in the tree of paths; one step down is one segment. */
interface Place<Route> {
  readonly literal: Map<string, Place<Route>>;
  parameter: Place<Route> | null;
  readonly routes: Map<string, Leaf<Route>>;
}

interface Leaf<Route> {
  readonly route: Route;
  /** Names of the parameters on the way, in order. */
  readonly names: readonly string[];
}

/** Called with each place that a path leads to, the most literal first, until it answers true. */
type Visit<Route> = (place: Place<Route>, values: readonly string[]) => boolean;

/**
 * Makes a tree of the endpoints' paths: to find one costs a look-up per segment, however many there
 * are. Paths are exact in case and in slashes; of two that fit, one with a text goes before one
 * with a parameter in the same place. A parameter is never empty.
 *
 * @param toRoute makes what is found of an endpoint
 * @throws Error when two endpoints stand at the same method and path
 */
export function createRoutes<Route>(
  endpoints: readonly Endpoint[],
  prefix: string,
  toRoute: (endpoint: Endpoint) => Route,
): Routes<Route> {
  const root: Place<Route> = createPlace();
  for (const endpoint of endpoints) add(root, prefix + endpoint.path, endpoint, toRoute(endpoint));
  return {
    find(method, path) {
      const wanted = method === 'HEAD' ? 'GET' : method;
      let found: RouteMatch<Route> | null = null;
      walk(root, path.split('/'), (place, values) => {
        const leaf = place.routes.get(wanted);
        if (!leaf) return false;
        found = { route: leaf.route, params: toParams(leaf.names, values) };
        return true;
      });
      return found;
    },
    methodsAt(path) {
      const methods = new Set<string>();
      walk(root, path.split('/'), (place) => {
        for (const method of place.routes.keys()) methods.add(method);
        return false;
      });
      if (methods.has('GET')) methods.add('HEAD');
      return [...methods].sort();
    },
  };
}

function createPlace<Route>(): Place<Route> {
  return { literal: new Map(), parameter: null, routes: new Map() };
}

function add<Route>(root: Place<Route>, path: string, { method }: Endpoint, route: Route): void {
  const names: string[] = [];
  let place = root;
  for (const segment of path.split('/')) {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name !== undefined) {
      names.push(name);
      place.parameter ??= createPlace();
      place = place.parameter;
    } else {
      const next = place.literal.get(segment) ?? createPlace();
      place.literal.set(segment, next);
      place = next;
    }
  }
  if (place.routes.has(method)) throw new Error(`Two endpoints stand at ${method} ${path}.`);
  place.routes.set(method, { route, names });
}

/** Tries every way down the tree, texts before parameters; true when `visit` was satisfied. */
function walk<Route>(
  place: Place<Route>,
  segments: readonly string[],
  visit: Visit<Route>,
  depth = 0,
  values: readonly string[] = [],
): boolean {
  const segment = segments[depth];
  if (segment === undefined) return visit(place, values);
  const next = place.literal.get(segment);
  if (next && walk(next, segments, visit, depth + 1, values)) return true;
  if (!place.parameter || segment === '') return false;
  return walk(place.parameter, segments, visit, depth + 1, [...values, segment]);
}

function toParams(names: readonly string[], values: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {};
  names.forEach((name, index) => {
    params[name] = decode(values[index] as string);
  });
  return params;
}

/** Text that is not well-formed percent-encoding names nothing that we have; it stays as it is. */
function decode(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
