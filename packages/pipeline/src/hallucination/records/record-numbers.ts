import type { Units } from './units.ts';
import { addUnit } from './units.ts';

/** Counts of values that are kept, so that long lists cost no more than short ones. */
const MOST_COUNTED = 1 << 13;
/** Numbers that rounded ones are compared with. */
const MOST_ROUNDED = 1 << 16;
const SCALE = 1e6;
const PRECISE = 1e-9;
/** A rounded number is within this share of what it stands for. */
const ROUNDED = 0.1;
/** "About 3,000" is. */
const ABOUT = 0.06;
const DELTA = /\b(?:change|diff|difference|delta|growth|trend|variation)\b/;

/** The numbers of records by value, and how many records there are of a kind. */
export class RecordNumbers {
  /** The records of each number. */
  readonly #units = new Map<number, number[]>();
  /** The numbers that a rounded one may stand for, ascending. */
  #sorted = new Float64Array(0);
  readonly #identities = new Set<number>();
  readonly #counts = new Set<number>();
  readonly #kinds = new Map<string, number>();
  /** Whether values of change are below or above zero: bits 1 and 2. */
  signs = 0;

  add(value: number, unit: number): void {
    const key = keyOf(value);
    const held = this.#units.get(key);
    if (held === undefined) this.#units.set(key, [unit]);
    else addUnit(held, unit);
  }

  /** A number that tells its record from others, such as an id. */
  addIdentity(value: number): void {
    this.#identities.add(keyOf(value));
  }

  isIdentity(value: number): boolean {
    return this.#identities.has(value);
  }

  /** A change, of which an answer says that something is up or down. */
  addSigned(value: number, name: string): void {
    if (value !== 0 && DELTA.test(name)) this.signs |= value < 0 ? 1 : 2;
  }

  /** How many elements a list has. */
  addCount(count: number): void {
    this.#counts.add(count);
  }

  /** Counts the records of one list that have a value alike. */
  countValue(list: number, name: string, value: string): void {
    if (this.#kinds.size >= MOST_COUNTED) return;
    const key = `${list} ${name} ${value}`;
    this.#kinds.set(key, (this.#kinds.get(key) ?? 0) + 1);
  }

  finish(): void {
    for (const count of this.#kinds.values()) this.#counts.add(count);
    this.#kinds.clear();
    const values: number[] = [];
    for (const value of this.#units.keys()) {
      if (values.length === MOST_ROUNDED) break;
      values.push(value);
    }
    this.#sorted = Float64Array.from(values).sort();
  }

  /** Every number once. */
  all(): ReadonlySet<number> {
    return new Set(this.#units.keys());
  }

  /** Whether so many records were counted. */
  hasCount(value: number): boolean {
    return this.#counts.has(value);
  }

  /** The records that have a number as it is written in a claim, rounded perhaps; empty where none has it. */
  find(value: number, written: string, isAbout: boolean): Units {
    const exact = this.#units.get(keyOf(value));
    if (exact !== undefined) return exact;
    const half = halfUnitOf(value, written);
    const most = isAbout ? Math.max(half, ABOUT * value) : Math.min(half, ROUNDED * value);
    return this.#between(value - most, value + most);
  }

  /** Whether a value is at least `low` and at most `high`. */
  hasBetween(low: number, high: number): boolean {
    return this.#between(low, high).length > 0;
  }

  #between(low: number, high: number): Units {
    const units: number[] = [];
    const slack = PRECISE * high;
    for (let at = this.#firstFrom(low - slack); at < this.#sorted.length; at++) {
      const value = this.#sorted[at] as number;
      if (value > high + slack || units[0] === -1) break;
      for (const unit of this.#units.get(value) ?? []) addUnit(units, unit);
    }
    return units;
  }

  #firstFrom(low: number): number {
    let from = 0;
    let to = this.#sorted.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((this.#sorted[middle] as number) < low) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

/** Fractions that differ in their last bits only are one number. */
function keyOf(value: number): number {
  return Number.isInteger(value) ? value : Math.round(value * SCALE) / SCALE;
}

/** Half of what the last digit of a number counts: 0.05 of "21.4", 50,000 of "4.2 million". */
export function halfUnitOf(value: number, written: string): number {
  const digits = /\d[\d,]*(?:\.(\d+))?/.exec(written);
  if (digits === null || written.includes(':')) return 0;
  const shown = Number(digits[0].replaceAll(',', ''));
  const scale = shown > 0 ? value / shown : 1;
  return 0.5 * scale * 10 ** -(digits[1]?.length ?? 0);
}
