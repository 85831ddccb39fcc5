import type { Part } from './on-demand.ts';
import { bindOnDemand } from './on-demand.ts';

/** Creates the operations of one resource on a session. */
type Resource<S> = Part<S>;

type Intersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

type Resources = readonly Resource<never>[];

/** The sessions that all these resources are bound to. */
type SessionOf<R extends Resources> = Parameters<R[number]>[0];

/** The operations of all these resources. */
type OperationsOf<R extends Resources> = Intersection<ReturnType<R[number]>>;

/** The operations of several resources, for `bindStorage`. */
export interface CombinedResources<S, Operations> {
  /** Creates all of them at once, as an object that can be spread. */
  bind(session: S): Operations;
  /** Creates those of a resource when the first of them is read; see `bindOnDemand`. */
  bindOnDemand(session: S): Operations;
}

/**
 * Combines resources that are stored together. A transaction uses few of many resources, so it
 * binds them on demand: creating an object of a hundred methods for each transaction takes a
 * hundred times as long (290 us against 3 us).
 * @throws Error, at the first transaction, when two resources have an operation of one name
 */
export function combineResources<const R extends Resources>(
  ...resources: R
): CombinedResources<SessionOf<R>, OperationsOf<R>> {
  const all: readonly Resource<SessionOf<R>>[] = resources;
  return {
    bind: (session) =>
      Object.assign({}, ...all.map((create) => create(session))) as OperationsOf<R>,
    bindOnDemand: bindOnDemand<SessionOf<R>, OperationsOf<R> & object>(all),
  };
}
