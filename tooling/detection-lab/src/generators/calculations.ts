import type { Random } from '@probity/test-support/random';
import { readDataFile } from '../lib/data-file.ts';
import { NUMBER_WORDS } from './number-words.ts';

const lists = readDataFile('claims/calculations');

/** A calculation in words and figures with a right or a wrong answer. */
export interface Calculation {
  readonly source: string;
  readonly question: string;
  readonly answer: string;
  readonly faithful: boolean;
}

const THINGS = lists.list('things');
const PEOPLE = lists.list('people');
const ANSWERS = lists.list('answers');
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];

/** A number below one million in English words. */
function spellNumber(value: number): string {
  if (value < 20) return NUMBER_WORDS[value] as string;
  if (value < 100) {
    const rest = value % 10 === 0 ? '' : `-${NUMBER_WORDS[value % 10]}`;
    return `${TENS[Math.floor(value / 10)]}${rest}`;
  }
  const [unit, name] = value < 1000 ? [100, 'hundred'] : [1000, 'thousand'];
  const rest = value % unit;
  const join = unit === 100 || rest < 100 ? ' and ' : ' ';
  return `${spellNumber(Math.floor(value / unit))} ${name}${rest === 0 ? '' : join + spellNumber(rest)}`;
}

/** Makes calculations of two to four steps. */
export function calculations(count: number, random: Random): Calculation[] {
  return Array.from({ length: count }, () => calculation(random));
}

function calculation(random: Random): Calculation {
  const thing = random.pick(THINGS);
  const who = random.pick(PEOPLE);
  let value = 2 + random.below(40);
  const lines: string[] = [];
  const seen = new Set<number>([value]);
  const steps = 2 + random.below(3);
  for (let step = 0; step < steps; step++) {
    const other = 2 + random.below(12);
    const operation = random.pick(['+', '*', '-']);
    const next =
      operation === '+'
        ? value + other
        : operation === '*'
          ? value * other
          : Math.max(1, value - other);
    const by = operation === '-' ? value - next : other;
    lines.push(
      `${random.pick(['Then there are', 'That gives', `${who} has`, 'So there are'])} ${value}${random.pick([' ', ''])}${operation} ${by} = ${next} ${thing}.`,
    );
    seen.add(by).add(next);
    value = next;
  }
  const faithful = random.next() < 0.5;
  const near = [
    value + 1 + random.below(4),
    Math.max(0, value - 1),
    value * 2,
    value * 10,
    ...seen,
  ].filter((other) => other !== value);
  const given = faithful ? value : random.pick(near);
  const shown = random.next() < 0.4 ? spellNumber(given) : String(given);
  return {
    source: lines.join('\n'),
    question: `How many ${thing} are there in the end?`,
    answer: random.pick(ANSWERS).replace('#', shown),
    faithful,
  };
}
