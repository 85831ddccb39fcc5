/**
 * A simple interpreter of PATCH, written from RFC 7644, section 3.5.2, and the contract, to compare the real one with:
 * it changes plain objects one operation after the other and knows no schemas.
 */

type Value = string | boolean | Element | readonly Value[] | null;
/** An element of several values, or a complex attribute. */
export type Element = { [name: string]: Value };

/** What an operation names; its spelling in a request varies. */
export interface Target {
  readonly extension: string | null;
  readonly attribute: string;
  readonly sub: string | null;
  /** Terms that are joined by `and`. */
  readonly filter: ReadonlyArray<{
    sub: string;
    operator: 'eq' | 'ne';
    value: string | boolean;
  }> | null;
  readonly kind: 'simple' | 'complex' | 'texts' | 'elements';
}

export interface Operation {
  readonly op: 'add' | 'replace' | 'remove';
  readonly target: Target;
  /** Undefined: none, of a removal. */
  readonly value: Value | undefined;
}

/** The resource after the operations, or `refused`. */
export function interpret(before: Element, operations: readonly Operation[]): Element | 'refused' {
  const resource = structuredClone(before);
  for (const operation of operations) {
    const { extension } = operation.target;
    const container = extension === null ? resource : ((resource[extension] ?? {}) as Element);
    if (extension !== null) resource[extension] = container;
    if (!apply(container, operation)) return 'refused';
  }
  return settle(resource) ? resource : 'refused';
}

function apply(container: Element, operation: Operation): boolean {
  const { op, target, value } = operation;
  const { attribute, sub, kind } = target;
  if (kind === 'simple' || (kind === 'complex' && (op === 'remove' || isNothing(value)) && !sub)) {
    if (op === 'remove' || isNothing(value)) delete container[attribute];
    else container[attribute] = value as Value;
  } else if (kind === 'complex') {
    const parts = sub ? { [sub]: op === 'remove' ? null : (value as Value) } : (value as Element);
    const whole = { ...(container[attribute] as Element) };
    for (const [name, part] of Object.entries(parts)) {
      if (isNothing(part)) delete whole[name];
      else whole[name] = part;
    }
    container[attribute] = whole;
  } else {
    const values = [...((container[attribute] ?? []) as Value[])];
    const after =
      target.filter || sub ? onElements(values, operation) : onValues(values, operation);
    if (!after) return false;
    container[attribute] = after;
  }
  return true;
}

function onValues(values: Value[], { op, value }: Operation): Value[] {
  const given = (isNothing(value) ? [] : (value as Value[]))
    .map(clean)
    .filter((one) => one !== null);
  if (op === 'remove') {
    return isNothing(value)
      ? []
      : values.filter((one) => !given.some((other) => isLike(one, other)));
  }
  const kept = given.filter((one) => !isShell(one));
  if (op === 'replace') return merge([], kept);
  const merged = merge(values, kept);
  const isAdded = (one: Value) => kept.some((other) => isSame(one, other));
  return kept.some(isPrimary) ? endOtherPrimaries(merged, isAdded) : merged;
}

function onElements(values: Value[], operation: Operation): Value[] | null {
  const { op, target, value } = operation;
  const { filter, sub, kind } = target;
  const selected = values.map((one) => (filter ?? []).every((term) => satisfies(one, term)));
  const assigned = sub ? (value ?? null) : clean(value ?? null);
  if (op === 'remove' || isNothing(assigned)) {
    if (sub) return values.map((one, i) => (selected[i] ? without(one, sub) : one));
    return op === 'add' ? values : values.filter((_, i) => !selected[i]);
  }
  const described = describe(filter ?? []);
  const make = (before: Element): Value => {
    if (kind === 'texts') return assigned;
    return sub ? { ...before, [sub]: assigned } : { ...before, ...(assigned as Element) };
  };
  if (!selected.includes(true)) {
    if (!described) return null;
    const made = make(described);
    const all = [...values, made];
    return isPrimary(made) ? endOtherPrimaries(all, (one) => one === made) : all;
  }
  const isKept = sub !== null || op === 'add';
  const changed = values.map((one, i) => {
    if (!selected[i]) return one;
    return make(isKept ? (one as Element) : (described ?? {}));
  });
  const isChanged = (one: Value) => selected[changed.indexOf(one)] === true;
  return changed.some((one, i) => selected[i] && isPrimary(one))
    ? endOtherPrimaries(changed, isChanged)
    : changed;
}

function describe(terms: NonNullable<Target['filter']>): Element | null {
  const element: Element = {};
  for (const { sub, operator, value } of terms) {
    if (operator !== 'eq' || (sub in element && element[sub] !== value)) return null;
    element[sub] = value;
  }
  return element;
}

function satisfies(
  one: Value,
  { sub, operator, value }: NonNullable<Target['filter']>[number],
): boolean {
  const actual = typeof one === 'object' ? (one as Element)[sub] : one;
  return fold(actual) === fold(value) ? operator === 'eq' : operator === 'ne';
}

function fold(value: Value | undefined): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value;
}

/** Leaves out what is unassigned; null when nothing is left. */
function clean(value: Value): Value {
  if (isNothing(value)) return null;
  if (typeof value !== 'object') return value;
  const entries = Object.entries(value as Element).filter(([, part]) => !isNothing(part));
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

function merge(values: readonly Value[], added: readonly Value[]): Value[] {
  const result: Value[] = [];
  for (const one of [...values, ...added]) {
    const index = result.findIndex((other) => isSame(other, one));
    if (index < 0) result.push(one);
    else if (typeof one === 'object')
      result[index] = { ...(result[index] as Element), ...(one as Element) };
  }
  return result;
}

function isSame(a: Value, b: Value): boolean {
  if (typeof a !== 'object' || typeof b !== 'object') return a === b;
  const [one, other] = [a as Element, b as Element];
  if ('value' in one && 'value' in other) {
    return one.value === other.value && one.type === other.type;
  }
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => one[name] === other[name]);
}

/** Whether a removal of `given` removes a value. */
function isLike(value: Value, given: Value): boolean {
  if (typeof value !== 'object') return fold(value) === fold(given);
  const [one, other] = [value as Element, given as Element];
  if ('value' in one !== 'value' in other) return false;
  if ('value' in other) {
    const hasType = 'type' in other;
    return (
      fold(one.value) === fold(other.value) && (!hasType || fold(one.type) === fold(other.type))
    );
  }
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => fold(one[name]) === fold(other[name]));
}

function endOtherPrimaries(values: Value[], isChanged: (one: Value) => boolean): Value[] {
  return values.map((one) =>
    isPrimary(one) && !isChanged(one) ? { ...(one as Element), primary: false } : one,
  );
}

/** Ends a PATCH: leaves out what has lost its value; false when there are two primary values. */
function settle(container: Element): boolean {
  for (const [name, value] of Object.entries(container)) {
    if (Array.isArray(value)) {
      const kept = value.filter((one) => !isShell(one));
      if (kept.filter(isPrimary).length > 1) return false;
      container[name] = merge([], kept);
    } else if (typeof value === 'object' && value !== null && !settle(value as Element))
      return false;
    const left = container[name];
    if (typeof left === 'object' && Object.keys(left as object).length === 0)
      delete container[name];
  }
  return true;
}

function isShell(value: Value): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.keys(value).every((name) => name === 'type' || name === 'primary');
}

function isPrimary(value: Value): boolean {
  return typeof value === 'object' && (value as Element)?.primary === true;
}

function isNothing(value: Value | undefined): boolean {
  return value === undefined || value === null || value === '';
}

function without(value: Value, name: string): Value {
  const { [name]: _, ...others } = value as Element;
  return others;
}
