import { t } from '../text/index.ts';

const number = () => new Intl.NumberFormat(t.language);

/** A number as the language of the page writes it. */
export function toNumber(value: number): string {
  return number().format(value);
}

/** A score with two places. */
export function toScore(value: number): string {
  return new Intl.NumberFormat(t.language, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  }).format(value);
}

/** Milliseconds below a second, then seconds. */
export function toDuration(ms: number): string {
  const [value, unit] = ms < 1_000 ? [ms, 'ms'] : [ms / 1_000, 's'];
  const format = new Intl.NumberFormat(t.language, { maximumFractionDigits: value < 10 ? 1 : 0 });
  return `${format.format(value)}\u202f${unit}`;
}

/** The day of a time of the API. */
export function toDay(at: string): string {
  return new Intl.DateTimeFormat(t.language, { dateStyle: 'medium' }).format(new Date(at));
}

/** A time: today with seconds, else with the date. */
function toTime(date: Date, now = new Date()): string {
  const isToday = date.toDateString() === now.toDateString();
  const options: Intl.DateTimeFormatOptions = isToday
    ? { timeStyle: 'medium' }
    : date.getFullYear() === now.getFullYear()
      ? { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }
      : { dateStyle: 'medium' };
  return new Intl.DateTimeFormat(t.language, options).format(date);
}

/** A time of the API, in UTC for machines and in full as its title; a word where there is none. */
export function Time({
  at,
  none = t.common.never,
}: {
  readonly at: string | null;
  readonly none?: string;
}) {
  if (at === null) return <span class="muted">{none}</span>;
  const date = new Date(at);
  return (
    <time dateTime={at} title={date.toUTCString()}>
      {toTime(date)}
    </time>
  );
}

/** An amount of the API, which counts in the smallest unit of the currency. */
export function toMoney(amount: number, currency: string): string {
  const format = new Intl.NumberFormat(t.language, { style: 'currency', currency });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}
