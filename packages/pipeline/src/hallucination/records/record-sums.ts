/** Values of one name that are kept; longer lists have a total only. */
const MOST_VALUES = 32;
/** Times of one record that are kept. */
const MOST_TIMES = 8;
/** Two results are the same within this share. */
const EXACT = 1e-6;

interface Column {
  total: number;
  readonly values: number[];
}

/** What may be computed from the values of records: totals, differences, spans of time. */
export class RecordSums {
  readonly #columns = new Map<string, Column>();
  readonly #times = new Map<number, number[]>();
  /** Minutes between two times of one record. */
  readonly #spans = new Set<number>();

  /** Takes a number of a record. */
  add(name: string, value: number): void {
    const held = this.#columns.get(name);
    if (held === undefined) {
      this.#columns.set(name, { total: value, values: [value] });
      return;
    }
    held.total += value;
    if (held.values.length < MOST_VALUES) held.values.push(value);
  }

  /** Takes a time of a record, in minutes from any beginning. */
  addTime(unit: number, minutes: number): void {
    const held = this.#times.get(unit);
    if (held === undefined) this.#times.set(unit, [minutes]);
    else if (held.length < MOST_TIMES) {
      for (const other of held) this.#spans.add(Math.abs(minutes - other));
      held.push(minutes);
    }
  }

  /** Whether a number is the total of a name, or that of two of its values. */
  isTotal(value: number): boolean {
    return this.#some(({ total, values }) => {
      return isSame(total, value) || pairs(values).some(([a, b]) => isSame(a + b, value));
    });
  }

  /** Whether a number is what one value of a name is above another one. */
  isDifference(value: number): boolean {
    return this.#some(({ values }) =>
      pairs(values).some(([a, b]) => isSame(Math.abs(a - b), value)),
    );
  }

  /** Whether two times of a record are so far apart, up to the hours and minutes that a count of days leaves out. */
  isSpan(value: number, minutesEach: number): boolean {
    if (this.#spans.has(value * minutesEach)) return true;
    if (minutesEach < DAY) return false;
    for (const span of this.#spans) if (Math.abs(span / minutesEach - value) < 1) return true;
    return false;
  }

  #some(test: (column: Column) => boolean): boolean {
    for (const column of this.#columns.values()) {
      if (column.values.length > 1 && test(column)) return true;
    }
    return false;
  }
}

const DAY = 1440;

function isSame(result: number, value: number): boolean {
  return Math.abs(result - value) <= EXACT * Math.abs(value);
}

function pairs(values: readonly number[]): (readonly [number, number])[] {
  return values.flatMap((a, at) => values.slice(at + 1).map((b) => [a, b] as const));
}
