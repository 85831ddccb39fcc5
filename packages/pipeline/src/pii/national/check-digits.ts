import { isLuhnNumber } from '../validators.ts';

/** The sum of the digits of a value, each times its weight; further digits are left out. */
export function weightedSum(value: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, at) => sum + weight * Number(value.charAt(at)), 0);
}

/** The Luhn check (ISO/IEC 7812-1). */
export function hasLuhn(value: string): boolean {
  return isLuhnNumber(value);
}

/** ISO 7064 MOD 11,10, check digit last. */
export function hasMod1110(value: string): boolean {
  let product = 10;
  for (const digit of value.slice(0, -1)) {
    const sum = (Number(digit) + product) % 10 || 10;
    product = (sum * 2) % 11;
  }
  return (11 - product) % 10 === Number(value.at(-1));
}

const DIHEDRAL = [
  '0123456789',
  '1234067895',
  '2340178956',
  '3401289567',
  '4012395678',
  '5987604321',
  '6598710432',
  '7659821043',
  '8765932104',
  '9876543210',
];
const PERMUTATION = [
  '0123456789',
  '1576283094',
  '5803796142',
  '8916043527',
  '9453126870',
  '4286573901',
  '2793806415',
  '7046913258',
];

/** Verhoeff's check, check digit last ("Error detecting decimal codes", 1969). */
export function hasVerhoeff(value: string): boolean {
  let check = 0;
  [...value].reverse().forEach((digit, at) => {
    const permuted = Number(PERMUTATION[at % 8]?.charAt(Number(digit)));
    check = Number(DIHEDRAL[check]?.charAt(permuted));
  });
  return check === 0;
}

/** The rest of a long decimal number divided by a small one. */
export function remainder(value: string, divisor: number): number {
  let rest = 0;
  for (const digit of value) rest = (rest * 10 + Number(digit)) % divisor;
  return rest;
}

/** Whether there can be a day of a month: `year` may have two digits, and then no leap year is excluded. */
export function isDay(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  const ofCentury = year < 100 ? 2000 + year : year;
  return day <= new Date(Date.UTC(ofCentury, month, 0)).getUTCDate();
}

/** A part of a value as a number. */
export function part(value: string, start: number, end: number): number {
  return Number(value.slice(start, end));
}

/** Whether all signs are the same, as in numbers for show. */
export function isUniform(value: string): boolean {
  return /^(.)\1*$/.test(value);
}
