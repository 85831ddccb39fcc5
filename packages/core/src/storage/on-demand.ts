/** Creates a part of an object from a session. */
export type Part<S> = (session: S) => object;

/**
 * Creates objects that have the members of several parts, each of which is created when the first of its members is
 * read. Members can be taken from the object and replaced. They are inherited, so a wrapper is made with
 * `Object.create`, not by spreading.
 * @throws Error (the function returned), when it is first called, when two parts have a member of one name
 */
export function bindOnDemand<S, Whole extends object>(
  parts: readonly Part<S>[],
): (session: S) => Whole {
  let OnDemand: ReturnType<typeof defineOnDemand<S>> | undefined;
  return (session) => {
    OnDemand ??= defineOnDemand(parts, session);
    return new OnDemand(session) as unknown as Whole;
  };
}

const SESSION = Symbol('session');
const MADE = Symbol('made');

type Members = Record<string, unknown>;

/** Defines a class with the members of the parts; `sample` provides their names. */
function defineOnDemand<S>(parts: readonly Part<S>[], sample: S) {
  class OnDemand {
    readonly [SESSION]: S;
    readonly [MADE]: Array<Members | undefined> = [];

    constructor(session: S) {
      this[SESSION] = session;
    }
  }
  parts.forEach((create, index) => {
    // Members that are created on demand themselves are inherited.
    for (const name in create(sample)) {
      if (name in OnDemand.prototype) throw new Error(`Two resources have the operation ${name}.`);
      Object.defineProperty(OnDemand.prototype, name, {
        enumerable: true,
        get(this: OnDemand) {
          let made = this[MADE][index];
          if (!made) {
            made = create(this[SESSION]) as Members;
            this[MADE][index] = made;
          }
          return made[name];
        },
        set(this: OnDemand, value: unknown) {
          const own = { value, enumerable: true, configurable: true, writable: true };
          Object.defineProperty(this, name, own);
        },
      });
    }
  });
  return OnDemand;
}
