import type { Automaton, Danger, Loop } from './automaton.ts';
import { haveCommon } from './sign-sets.ts';

/** So many ways to read the same signs may a place have at most; each costs a step. */
const MAX_WAYS = 1_000;
const MAX_STEPS = 4_000_000;

/**
 * Looks for what makes a backtracking search take more than linear time: a position that comes back
 * to itself in two ways on the same signs (exponential time), and two loops one after the other that
 * take the same signs, where the search itself counts as the first loop (polynomial time: the number
 * of rounds of each multiplies). Weber and Seidl, "On the degree of ambiguity of finite automata",
 * 1991; Weideman et al., "Analyzing matching time behavior of backtracking regular expression
 * matchers", 2016.
 */
export function findAmbiguity(automaton: Automaton): Danger | undefined {
  const { follow } = automaton;
  const component = components(follow);
  const meet = createMeeting(automaton);
  const steps = { left: MAX_STEPS };
  const looping = follow.flatMap((next, at) =>
    next.some((other) => component[other] === component[at]) ? [at] : [],
  );
  const exponential = findExponential(automaton, component, looping, meet, steps);
  if (exponential !== undefined) return exponential;
  const branches = branchesFrom(automaton, component, meet);
  if (branches > MAX_WAYS) {
    const reason = `its options can read the same signs in more than ${MAX_WAYS} ways`;
    return { part: '', reason };
  }
  const polynomial = findPolynomial(automaton, component, looping, meet, steps);
  if (steps.left <= 0) return { part: '', reason: 'the pattern is too large to be checked' };
  return polynomial;
}

/**
 * An upper bound for the ways in which options alone (`a?a?aa`, `(?:a|ab)(?:b|bc)`) read the same
 * signs: at each place the ways of those next positions add up that can take one sign.
 */
function branchesFrom({ follow }: Automaton, component: readonly number[], meet: Meeting): number {
  const waysOf = new Map<number, number>();
  const members = new Map<number, number[]>();
  for (const [at, id] of component.entries()) members.set(id, [...(members.get(id) ?? []), at]);
  const ways = (id: number): number => {
    const known = waysOf.get(id);
    if (known !== undefined) return known;
    let most = 1;
    for (const position of members.get(id) ?? []) {
      const next = (follow[position] ?? []).filter((other) => component[other] !== id);
      const each = next.map((other) => ways(component[other] as number));
      for (const first of next) {
        let sum = 0;
        next.forEach((other, index) => {
          if (meet(first, other)) sum += each[index] as number;
        });
        most = Math.max(most, sum);
      }
    }
    waysOf.set(id, most);
    return most;
  };
  return ways(component[0] as number);
}

type Meeting = (a: number, b: number) => boolean;
interface Steps {
  left: number;
}

/** Whether two positions can take the same sign. */
function createMeeting({ signs }: Automaton): Meeting {
  const known = new Map<number, boolean>();
  return (a, b) => {
    if (a === b) return true;
    const key = a < b ? a * signs.length + b : b * signs.length + a;
    let answer = known.get(key);
    if (answer === undefined) {
      answer = haveCommon(signs[a] ?? [], signs[b] ?? []);
      known.set(key, answer);
    }
    return answer;
  };
}

function findExponential(
  { follow, loops }: Automaton,
  component: readonly number[],
  looping: readonly number[],
  meet: Meeting,
  steps: Steps,
): Danger | undefined {
  const reason =
    'a repetition within a repetition reads the same signs in many ways (exponential time)';
  const at = (position: number): Danger => ({ part: loops[position]?.[0]?.part ?? '', reason });
  const inside = (position: number) =>
    (follow[position] ?? []).filter((next) => component[next] === component[position]);
  for (const position of looping) {
    const next = inside(position);
    if (new Set(next).size < next.length) return at(position);
  }
  for (const members of groupBy(looping, (position) => component[position] as number)) {
    const reached = new Set<string>();
    const open: [number, number][] = members.map((position) => [position, position]);
    const before = new Map<string, [number, number][]>();
    while (open.length > 0 && steps.left > 0) {
      const [a, b] = open.pop() as [number, number];
      for (const nextA of inside(a)) {
        for (const nextB of inside(b)) {
          steps.left--;
          if (!meet(nextA, nextB)) continue;
          const key = `${nextA} ${nextB}`;
          before.set(key, [...(before.get(key) ?? []), [a, b]]);
          if (reached.has(key) || nextA === nextB) continue;
          reached.add(key);
          open.push([nextA, nextB]);
        }
      }
    }
    const back = leadsTo(members, before);
    const parted = [...back].find((key) => reached.has(key));
    if (parted !== undefined) return at(Number(parted.split(' ')[0]));
  }
  return undefined;
}

/** The pairs from which a pair of the same position can be reached. */
function leadsTo(
  members: readonly number[],
  before: ReadonlyMap<string, readonly (readonly [number, number])[]>,
): ReadonlySet<string> {
  const found = new Set<string>();
  const open = members.map((position) => `${position} ${position}`);
  while (open.length > 0) {
    for (const [a, b] of before.get(open.pop() as string) ?? []) {
      const key = `${a} ${b}`;
      if (a === b || found.has(key)) continue;
      found.add(key);
      open.push(key);
    }
  }
  return found;
}

function findPolynomial(
  automaton: Automaton,
  component: readonly number[],
  looping: readonly number[],
  meet: Meeting,
  steps: Steps,
): Danger | undefined {
  const { loops } = automaton;
  const counted = new Map<Loop, number>();
  for (const first of looping) {
    for (const second of looping) {
      if (component[first] === component[second]) continue;
      if (!takeTheSame(automaton, component, first, second, meet, steps)) continue;
      const inner = loops[second]?.[0];
      const outer = loops[first]?.[0];
      if (inner === undefined || outer === undefined) continue;
      const narrow = inner.width <= outer.width ? inner : outer;
      if (narrow.width === Number.POSITIVE_INFINITY) return quadratic(inner, outer);
      counted.set(narrow, narrow.width);
      const ways = [...counted.values()].reduce((product, width) => product * width, 1);
      if (ways > MAX_WAYS) return tooWide(narrow);
    }
  }
  return undefined;
}

function quadratic(inner: Loop, outer: Loop): Danger {
  const bound = 'give it an upper bound, as in {1,64}';
  return outer.part === ''
    ? { part: inner.part, reason: `a search can begin at each sign that it takes; ${bound}` }
    : { part: inner.part, reason: `it takes the same signs as ${outer.part} before it; ${bound}` };
}

function tooWide({ part }: Loop): Danger {
  const reason = `with the repetitions around it, it can read the same signs in more than ${MAX_WAYS} ways; lower its upper bound`;
  return { part, reason };
}

/**
 * Whether there are signs on which `first` comes back to itself, leads to `second`, and `second` comes
 * back to itself: walks the triples of positions from (first, first, second) to (first, second, second).
 */
function takeTheSame(
  { follow }: Automaton,
  component: readonly number[],
  first: number,
  second: number,
  meet: Meeting,
  steps: Steps,
): boolean {
  const size = follow.length;
  const goal = (first * size + second) * size + second;
  const seen = new Set<number>();
  const open: (readonly [number, number, number])[] = [[first, first, second]];
  while (open.length > 0 && steps.left > 0) {
    const [a, b, c] = open.pop() as readonly [number, number, number];
    for (const nextA of follow[a] ?? []) {
      if (component[nextA] !== component[first]) continue;
      for (const nextC of follow[c] ?? []) {
        steps.left--;
        if (component[nextC] !== component[second] || !meet(nextA, nextC)) continue;
        for (const nextB of follow[b] ?? []) {
          steps.left--;
          if (!meet(nextA, nextB) || !meet(nextB, nextC)) continue;
          const key = (nextA * size + nextB) * size + nextC;
          if (key === goal) return true;
          if (seen.has(key)) continue;
          seen.add(key);
          open.push([nextA, nextB, nextC]);
        }
      }
    }
  }
  return false;
}

function groupBy(values: readonly number[], keyOf: (value: number) => number): number[][] {
  const groups = new Map<number, number[]>();
  for (const value of values) {
    const key = keyOf(value);
    groups.set(key, [...(groups.get(key) ?? []), value]);
  }
  return [...groups.values()];
}

/** The number of the strongly connected component of each position. */
function components(follow: readonly (readonly number[])[]): number[] {
  const reach = follow.map((_, from) => {
    const seen = new Set<number>();
    const open = [from];
    while (open.length > 0) {
      for (const next of follow[open.pop() as number] ?? []) {
        if (seen.has(next)) continue;
        seen.add(next);
        open.push(next);
      }
    }
    return seen;
  });
  return follow.map((_, at) => {
    for (let other = 0; other < at; other++) {
      if (reach[at]?.has(other) && reach[other]?.has(at)) return other;
    }
    return at;
  });
}
