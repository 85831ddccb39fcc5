import type { AST } from '@eslint-community/regexpp';
import type { SignSet } from './sign-sets.ts';
import { ALL, hasStrings, signsOf } from './sign-sets.ts';

/** A part of an expression that takes too long, and why. */
export interface Danger {
  /** The part as it is written. */
  readonly part: string;
  readonly reason: string;
}

/** A repetition whose number is open, as the automaton has it: as a loop. */
export interface Loop {
  readonly part: string;
  /** How many numbers of rounds there are; Infinity without an upper bound. */
  readonly width: number;
}

/**
 * The positions of an expression (Glushkov's construction): which can follow which, and how many
 * times over. A repetition with a fixed number is written out; one with an open number is a loop.
 * Position 0 stands for a search that may begin anywhere: it matches every sign and follows itself.
 */
export interface Automaton {
  readonly signs: readonly SignSet[];
  /** For each position the positions after it; twice in the list means in two ways. */
  readonly follow: readonly (readonly number[])[];
  /** The loops around each position, the outermost first. */
  readonly loops: readonly (readonly Loop[])[];
  /** What is looked at ahead and behind: each is tried at each place where it stands. */
  readonly lookArounds: readonly LookAround[];
}

/** A look-around as it is written, and the automaton of what is in it. */
interface LookAround {
  readonly part: string;
  readonly inner: Automaton;
}

/** The expression cannot be checked; `danger` says which part of it. */
export class UncheckedPattern extends Error {
  override readonly name = 'UncheckedPattern';
  readonly danger: Danger;

  constructor(danger: Danger) {
    super(danger.reason);
    this.danger = danger;
  }
}

interface Fragment {
  readonly nullable: boolean;
  readonly first: readonly number[];
  readonly last: readonly number[];
}

const EMPTY: Fragment = { nullable: true, first: [], last: [] };
/** More positions take the check too long. */
const MAX_POSITIONS = 400;
const MAX_EDGES = 20_000;

/**
 * Makes the automaton of an expression.
 *
 * @throws UncheckedPattern when a part has unbounded cost of its own or there are too many positions
 */
export function createAutomaton(pattern: AST.Pattern, ignoreCase: boolean): Automaton {
  const builder = new Builder(ignoreCase);
  const whole = builder.anyOf(pattern.alternatives);
  builder.follow[0]?.push(0, ...whole.first);
  return builder;
}

class Builder implements Automaton {
  readonly signs: SignSet[] = [ALL];
  readonly follow: number[][] = [[]];
  readonly loops: (readonly Loop[])[] = [[{ part: '', width: Number.POSITIVE_INFINITY }]];
  readonly lookArounds: LookAround[] = [];
  #ignoreCase: boolean;
  #around: readonly Loop[] = [];
  #edges = 0;

  constructor(ignoreCase: boolean) {
    this.#ignoreCase = ignoreCase;
  }

  anyOf(alternatives: readonly AST.Alternative[]): Fragment {
    const parts = alternatives.map(({ elements }) => this.#inTurn(elements));
    return {
      nullable: parts.some(({ nullable }) => nullable),
      first: parts.flatMap(({ first }) => first),
      last: parts.flatMap(({ last }) => last),
    };
  }

  #inTurn(elements: readonly AST.Element[]): Fragment {
    return elements.reduce<Fragment>(
      (before, element) => this.#join(before, this.#element(element)),
      EMPTY,
    );
  }

  #element(element: AST.Element): Fragment {
    switch (element.type) {
      case 'Group':
        return this.#group(element);
      case 'CapturingGroup':
        return this.anyOf(element.alternatives);
      case 'Quantifier':
        return this.#repeat(element);
      case 'Assertion':
        return this.#assertion(element);
      case 'Backreference':
        throw refused(element, 'a backreference takes time that no bound is known for');
      default:
        return this.#position(element);
    }
  }

  /** Modifiers (`(?i:…)`) hold within the group; case that matters again there counts as if it did not. */
  #group({ alternatives, modifiers }: AST.Group): Fragment {
    const outer = this.#ignoreCase;
    this.#ignoreCase ||= modifiers?.add?.ignoreCase === true;
    const inner = this.anyOf(alternatives);
    this.#ignoreCase = outer;
    return inner;
  }

  #position(element: AST.Element): Fragment {
    const index = this.signs.length;
    if (index >= MAX_POSITIONS) {
      throw refused(element, `written out, the pattern has more than ${MAX_POSITIONS} signs`);
    }
    if (hasStrings(element)) {
      throw refused(element, 'a class with strings can read the same signs in many ways');
    }
    this.signs.push(signsOf(element as Parameters<typeof signsOf>[0], this.#ignoreCase));
    this.follow.push([]);
    this.loops.push(this.#around);
    return { nullable: false, first: [index], last: [index] };
  }

  // What is looked at ahead or behind must be short; it takes no sign, so it is checked by itself.
  #assertion(element: AST.Assertion): Fragment {
    if (element.kind !== 'lookahead' && element.kind !== 'lookbehind') return EMPTY;
    const inner = element.alternatives.flatMap(({ elements }) => elements);
    const repeated = inner.find((part) => hasOpenNumber(part));
    if (repeated !== undefined) {
      throw refused(
        element,
        'a look-around with an open number of repetitions looks again at each place',
      );
    }
    const builder = new Builder(this.#ignoreCase);
    const whole = builder.anyOf(element.alternatives);
    builder.follow[0]?.push(...whole.first);
    this.lookArounds.push({ part: element.raw, inner: builder }, ...builder.lookArounds);
    return EMPTY;
  }

  #repeat(quantifier: AST.Quantifier): Fragment {
    const { min, max, element } = quantifier;
    if (min > 1 && canBeEmpty(element)) {
      throw refused(
        quantifier,
        'what is repeated can be empty, so that it can be left out in many ways',
      );
    }
    let whole = EMPTY;
    for (let round = 0; round < min; round++) whole = this.#join(whole, this.#element(element));
    if (max === min) return whole;
    if (max === 1) return this.#join(whole, { ...this.#element(element), nullable: true });
    const outer = this.#around;
    this.#around = [...outer, { part: quantifier.raw, width: max - min + 1 }];
    const body = this.#element(element);
    this.#around = outer;
    for (const last of body.last) this.#connect(last, body.first);
    return this.#join(whole, { ...body, nullable: true });
  }

  #join(before: Fragment, after: Fragment): Fragment {
    for (const last of before.last) this.#connect(last, after.first);
    return {
      nullable: before.nullable && after.nullable,
      first: before.nullable ? [...before.first, ...after.first] : before.first,
      last: after.nullable ? [...before.last, ...after.last] : after.last,
    };
  }

  #connect(from: number, to: readonly number[]): void {
    this.follow[from]?.push(...to);
    this.#edges += to.length;
    if (this.#edges > MAX_EDGES) {
      const danger = { part: '', reason: 'the pattern has too many optional parts to be checked' };
      throw new UncheckedPattern(danger);
    }
  }
}

function refused(part: { readonly raw: string }, reason: string): UncheckedPattern {
  return new UncheckedPattern({ part: part.raw, reason });
}

function canBeEmpty(element: AST.Element): boolean {
  if (element.type === 'Quantifier') return element.min === 0 || canBeEmpty(element.element);
  if (element.type === 'Assertion') return true;
  if (element.type !== 'Group' && element.type !== 'CapturingGroup') return false;
  return element.alternatives.some(({ elements }) => elements.every(canBeEmpty));
}

function hasOpenNumber(element: AST.Element): boolean {
  if (element.type === 'Quantifier')
    return element.min !== element.max || hasOpenNumber(element.element);
  if (element.type === 'Backreference') return true;
  if (!('alternatives' in element)) return false;
  return element.alternatives.some(({ elements }) => elements.some(hasOpenNumber));
}
