import { createHash } from 'node:crypto';
import { TokenType } from '@streamparser/json';
import type { TokenTap } from '../json/shape.ts';

/** Results nested deeper than this cannot be identified by their content. */
const MAX_DEPTH = 64;

/** Objects with more members than this cannot be identified by their content. */
const MAX_MEMBERS = 10_000;

interface OpenObject {
  /** Canonical texts of the members by name. */
  readonly members: Map<string, string>;
  name: string;
}

type Open = OpenObject | string[];

const { LEFT_BRACE, RIGHT_BRACE, LEFT_BRACKET, RIGHT_BRACKET, COLON, COMMA } = TokenType;

/**
 * Identifies results by their whole content: the SHA-256 of the sorted SHA-256 of the canonical JSON
 * of each result, in which members are sorted by name. The order of results and members, and spaces,
 * do not matter.
 */
export class ResultsDigest implements TokenTap {
  readonly #digests: string[] = [];
  #open: Open[] = [];
  #isTooComplex = false;

  /** Forgets all results. */
  clear(): void {
    this.#digests.length = 0;
    this.#open = [];
    this.#isTooComplex = false;
  }

  token(kind: TokenType, value: unknown, isName: boolean): void {
    if (this.#isTooComplex || kind === COLON || kind === COMMA) return;
    if (isName) {
      (this.#open.at(-1) as OpenObject).name = value as string;
    } else if (kind === LEFT_BRACE || kind === LEFT_BRACKET) {
      this.#open.push(kind === LEFT_BRACE ? { members: new Map(), name: '' } : []);
      if (this.#open.length > MAX_DEPTH) this.#giveUp();
    } else if (kind === RIGHT_BRACE || kind === RIGHT_BRACKET) {
      this.#add(toText(this.#open.pop() as Open));
    } else {
      this.#add(JSON.stringify(value));
    }
  }

  #add(text: string): void {
    const open = this.#open.at(-1);
    if (!open) {
      this.#digests.push(sha256(text));
    } else if (Array.isArray(open)) {
      open.push(text);
    } else {
      open.members.set(open.name, text);
      if (open.members.size > MAX_MEMBERS) this.#giveUp();
    }
  }

  #giveUp(): void {
    this.#isTooComplex = true;
    this.#open = [];
  }

  /** In hexadecimal; null when a result is nested too deeply or has an object of too many members. */
  toHex(): string | null {
    return this.#isTooComplex ? null : sha256(this.#digests.toSorted().join('\n'));
  }
}

function toText(open: Open): string {
  if (Array.isArray(open)) return `[${open.join(',')}]`;
  const names = [...open.members.keys()].sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${open.members.get(name)}`).join(',')}}`;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
