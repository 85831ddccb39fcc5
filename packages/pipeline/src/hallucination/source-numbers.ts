import type { Entry } from '../language/lexicon.ts';
import { KIND } from '../language/lexicon.ts';
import type { Words } from '../language/words.ts';

/** Minutes of units of time. */
export const MINUTES: ReadonlyMap<string, number> = new Map(
  Object.entries({
    minute: 1,
    minutes: 1,
    hour: 60,
    hours: 60,
    day: 1440,
    days: 1440,
    nights: 1440,
    week: 10_080,
    weeks: 10_080,
    month: 43_200,
    months: 43_200,
    year: 525_600,
    years: 525_600,
  }),
);
/** Two spans of time are the same within this share: a year has twelve months of thirty days, nearly. */
const SAME_SPAN = 0.03;
/** Units of a number. */
const SCALES = [1e3, 1e6, 1e9];
/** Numbers of a source that are looked at. */
const MOST = 1 << 12;
/** From here on a number without a fraction may stand for one that has one. */
const LEAST_WHOLE = 10;
/** Words behind an hour that may say that it is one of the evening: "five in the pm". */
const EVENING = 4;
/** A rounded number differs from the exact one by at most this share. */
const ROUNDED = 0.05;

/** The numbers of a source; tells whether they support numbers of a claim in another form. */
export class SourceNumbers {
  readonly #values = new Set<number>();
  readonly #spans = new Set<number>();

  fill({ count, entries, kinds }: Words): void {
    this.#values.clear();
    this.#spans.clear();
    for (let at = 0; at < count && this.#values.size < MOST; at++) {
      if (((kinds[at] as number) & KIND.number) === 0) continue;
      const { value } = entries[at] as Entry;
      this.#values.add(value);
      const minutes = MINUTES.get(entries[at + 1]?.word ?? '');
      if (minutes !== undefined && at + 1 < count) this.#spans.add(value * minutes);
    }
  }

  /**
   * Whether the number at a place of a claim is one of the source in another form: a span of time in another unit, an hour of the
   * clock of twelve, in thousands or millions, or rounded.
   */
  hasForm({ entries, count }: Words, at: number): boolean {
    const { value } = entries[at] as Entry;
    const unit = at + 1 < count ? (entries[at + 1]?.word ?? '') : '';
    const minutes = MINUTES.get(unit);
    if (minutes !== undefined) {
      for (const span of this.#spans) {
        if (Math.abs(span - value * minutes) <= SAME_SPAN * span) return true;
      }
    }
    if (value <= 12 && this.#values.has(value + 12) && isEvening(entries, at, count)) return true;
    const half = halfUnitOf(value);
    const isWhole = value >= LEAST_WHOLE && Number.isInteger(value);
    for (const own of this.#values) {
      if (isWhole && Math.round(own) === value) return true;
      if (half > 0 && Math.abs(own - value) <= half) return true;
      for (const scale of SCALES) {
        if (own * scale === value || own === value * scale) return true;
        if (value >= scale && Math.abs(own * scale - value) <= half) return true;
      }
    }
    return false;
  }
}

/** Whether "pm" follows within a few words of a number. */
function isEvening(entries: readonly Entry[], at: number, count: number): boolean {
  for (let behind = at + 1; behind < count && behind <= at + EVENING; behind++) {
    if (entries[behind]?.word === 'pm') return true;
  }
  return false;
}

/** Half a unit of the last digit before the closing zeros of a whole number: 500 of 12,000. */
function halfUnitOf(value: number): number {
  if (!Number.isInteger(value) || value < 100) return 0;
  let unit = 1;
  while (value % (unit * 10) === 0) unit *= 10;
  return Math.min(unit / 2, ROUNDED * value);
}
