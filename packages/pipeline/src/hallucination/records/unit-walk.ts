import type { RecordTable } from './record-table.ts';
import type { Units } from './units.ts';

/** The record that a response is at, from claim to claim; 0 at first. */
export interface Course {
  unit: number;
}

/** Values of one record in a row, within a claim. */
interface Run {
  /** The records that all of them may be of. */
  units: readonly number[];
  /** Whether one of them tells which. */
  isNamed: boolean;
}

/** What is to be known of a claim once its records are. */
interface Check {
  readonly run: number;
  readonly denies: (unit: number) => boolean;
}

/** Follows from which record to which a claim goes. */
export class UnitWalk {
  readonly #table: RecordTable;
  readonly #course: Course;
  readonly #runs: Run[] = [];
  readonly #checks: Check[] = [];

  constructor(table: RecordTable, course: Course) {
    this.#table = table;
    this.#course = course;
  }

  /** Takes a value that the claim has. */
  take(units: Units, identifies: boolean): void {
    if (units[0] === -1) return;
    const run = this.#runs.at(-1);
    const both = run === undefined ? [] : this.#common(run.units, units);
    if (run === undefined || both.length === 0) {
      this.#runs.push({ units, isNamed: identifies });
      return;
    }
    run.units = both;
    run.isNamed ||= identifies;
  }

  /** Has a check made for the record that the claim is at. */
  check(denies: (unit: number) => boolean): void {
    this.#checks.push({ run: Math.max(0, this.#runs.length - 1), denies });
  }

  /** How many runs of a claim about several records do not say which. */
  finish(): number {
    const last = this.#runs.at(-1)?.units;
    if (last?.length === 1) this.#course.unit = last[0] as number;
    return this.#runs.length < 2 ? 0 : this.#runs.filter(({ isNamed }) => !isNamed).length;
  }

  /** What came of the checks. */
  *denials(): Generator<boolean> {
    for (const { run, denies } of this.#checks) {
      yield denies(this.#runs[run]?.units[0] ?? this.#course.unit);
    }
  }

  #common(held: readonly number[], units: Units): number[] {
    const both: number[] = [];
    for (const a of held) {
      for (const b of units) {
        const inner = this.#table.isWithin(a, b) ? a : this.#table.isWithin(b, a) ? b : undefined;
        if (inner !== undefined && !both.includes(inner)) both.push(inner);
      }
    }
    return both;
  }
}
