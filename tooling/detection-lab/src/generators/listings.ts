import type { Random } from '@probity/test-support/random';

const SYLLABLES = [
  'ka',
  'lo',
  'mi',
  'ten',
  'ra',
  'sol',
  'vi',
  'dor',
  'ne',
  'pu',
  'sta',
  'ber',
  'gi',
  'fo',
];
const GLUES = [' ', '\n', ', ', '; ', ' | ', '\t', '  ', ',', ' / '];

type MakeItem = (random: Random, at: number) => string;

function word(random: Random): string {
  return Array.from({ length: 1 + random.below(3) }, () => random.pick(SYLLABLES)).join('');
}

const ITEMS: readonly MakeItem[] = [
  (random, at) => `${word(random)}${at}@${word(random)}${at}.example`,
  (random) => `${word(random)}@${word(random)}.test`,
  (random) => String(random.below(1_000_000)),
  (random) => `${random.below(256)}.${random.below(256)}.${random.below(256)}.${random.below(256)}`,
  (random) => `${1900 + random.below(150)}-${1 + random.below(12)}-${1 + random.below(28)}`,
  (random) =>
    `+${random.below(99)} ${random.below(999)} ${random.below(999)} ${random.below(9999)}`,
  (random) => word(random),
  (random) => `https://${word(random)}.test/${word(random)}?id=${random.below(999)}`,
  (random) => random.below(2 ** 30).toString(16),
  (random) =>
    random
      .below(2 ** 30)
      .toString(36)
      .toUpperCase(),
  (random, at) => `${word(random)}_${at}: ${random.below(99)}`,
  (random) => `<${word(random)}/>`,
  (random) => `"${word(random)}"`,
];

/** Lists, columns and repetitions without any sense: much of one kind is no sign of anything. */
export function makeListings(count: number, random: Random): string[] {
  return Array.from({ length: count }, () => {
    const make = random.pick(ITEMS);
    const glue = random.pick(GLUES);
    const length = 3 + random.below(random.next() < 0.3 ? 300 : 30);
    const repeated = random.next() < 0.3 ? make(random, 1) : undefined;
    return Array.from({ length }, (_, at) => repeated ?? make(random, at)).join(glue);
  });
}
