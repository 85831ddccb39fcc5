/** Values of one row or column that are kept; longer ones have a total only. */
const MOST_VALUES = 32;
/** Rows and columns that are kept, so that a long table costs no more than a short one. */
const MOST_LINES = 64;
/** Times of one record that are kept. */
const MOST_TIMES = 8;
/** Two results are the same within this share. */
const EXACT = 1e-6;
const DAY = 1440;

/** The numbers of a row, or of a column. */
interface Line {
  total: number;
  count: number;
  readonly values: number[];
}

/** What may be computed from the values of records: totals, means, differences, shares, spans of time. */
export class RecordSums {
  /** By the name of a column, and by record. */
  readonly #lines = new Map<string | number, Line>();
  readonly #times = new Map<number, number[]>();
  /** Minutes between two times of one record. */
  readonly #spans = new Set<number>();

  /** Takes a number of a record. */
  add(name: string, unit: number, value: number): void {
    for (const key of [name, unit]) {
      const held = this.#lines.get(key);
      if (held === undefined && this.#lines.size >= MOST_LINES) continue;
      const line = held ?? { total: 0, count: 0, values: [] };
      this.#lines.set(key, line);
      line.total += value;
      line.count++;
      if (line.values.length < MOST_VALUES) line.values.push(value);
    }
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

  /** Whether a number is the total or the mean of a line or of two of its values, or their difference. */
  isSum(value: number, half: number): boolean {
    return this.#some(value, half, ({ total, count }) => [total, total / count], sumsOf);
  }

  /** Whether a number is a share, a ratio or a change in percent of two values of a line. */
  isRatio(value: number, half: number): boolean {
    return this.#some(value, half, () => [], ratiosOf);
  }

  /** Whether two times of a record are so far apart, up to the hours and minutes that a count of days leaves out. */
  isSpan(value: number, minutesEach: number): boolean {
    if (this.#spans.has(value * minutesEach)) return true;
    if (minutesEach < DAY) return false;
    for (const span of this.#spans) if (Math.abs(span / minutesEach - value) < 1) return true;
    return false;
  }

  #some(
    value: number,
    half: number,
    ofLine: (line: Line) => number[],
    ofTwo: (a: number, b: number) => number[],
  ): boolean {
    const most = Math.max(half, EXACT * value);
    const isValue = (result: number) => Math.abs(Math.abs(result) - value) <= most;
    for (const line of this.#lines.values()) {
      const { values } = line;
      if (values.length < 2) continue;
      if (ofLine(line).some(isValue)) return true;
      for (const a of values) for (const b of values) if (ofTwo(a, b).some(isValue)) return true;
    }
    return false;
  }
}

function sumsOf(a: number, b: number): number[] {
  return [a + b, a - b, (a + b) / 2];
}

function ratiosOf(a: number, b: number): number[] {
  return b === 0 ? [] : [a / b, (100 * a) / b, (100 * (a - b)) / b];
}
