/** Words and numbers of more records than this belong to none of them. */
const MOST_UNITS = 6;

/** The records that a word or number is in; -1 alone where they are too many to tell. */
export type Units = readonly number[];

/** Adds a record; records come in ascending order for the most part. */
export function addUnit(units: number[], unit: number): void {
  if (units[0] === -1 || units.includes(unit)) return;
  if (units.length >= MOST_UNITS) units.splice(0, units.length, -1);
  else units.push(unit);
}
