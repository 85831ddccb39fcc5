import { createHash } from 'node:crypto';
import type { TokenKind } from '../json/tokenizer.ts';
import { TOKEN } from '../json/tokenizer.ts';

/** Results nested deeper than this cannot be identified by their content. */
const MAX_DEPTH = 64;

/** Objects with more members than this cannot be identified by their content. */
const MAX_MEMBERS = 10_000;

/** Longer texts are represented by their hash, in UTF-16 units, so that memory and steps stay small. */
const LONG_TEXT = 4_096;

/** Elements of an array that are hashed together. */
const BLOCK = 1_000;

class OpenObject {
  /** Canonical texts of the members by name. */
  readonly members = new Map<string, string>();
  name = '';

  toText(): string {
    const names = [...this.members.keys()].sort();
    return `{${names.map((name) => `${toScalarText(name)}:${this.members.get(name)}`).join(',')}}`;
  }
}

class OpenArray {
  #elements: string[] = [];
  /** Of the blocks that are complete. */
  readonly #hashes: string[] = [];

  push(element: string): void {
    this.#elements.push(element);
    if (this.#elements.length < BLOCK) return;
    this.#hashes.push(sha256(this.#elements.join(',')));
    this.#elements = [];
  }

  toText(): string {
    return `[${[...this.#hashes, ...this.#elements].join(',')}]`;
  }
}

/**
 * Identifies results by their whole content: the SHA-256 of the sorted SHA-256 of the canonical JSON
 * of each result, in which members are sorted by name and long parts are hashed. The order of results
 * and members, and spaces, do not matter. Part of the version of the idempotency keys.
 */
export class ResultsDigest {
  readonly #digests: string[] = [];
  #open: Array<OpenObject | OpenArray> = [];
  #isTooComplex = false;

  /** Forgets all results. */
  clear(): void {
    this.#digests.length = 0;
    this.#open = [];
    this.#isTooComplex = false;
  }

  token(kind: TokenKind, value: unknown, isName: boolean): void {
    if (this.#isTooComplex || kind === TOKEN.colon || kind === TOKEN.comma) return;
    if (isName) {
      (this.#open.at(-1) as OpenObject).name = value as string;
    } else if (kind === TOKEN.openObject || kind === TOKEN.openArray) {
      this.#open.push(kind === TOKEN.openObject ? new OpenObject() : new OpenArray());
      if (this.#open.length > MAX_DEPTH) this.#giveUp();
    } else if (kind === TOKEN.closeObject || kind === TOKEN.closeArray) {
      const open = this.#open.pop() as OpenObject | OpenArray;
      this.#add(shorten(open.toText()));
    } else {
      this.#add(toScalarText(value));
    }
  }

  #add(text: string): void {
    const open = this.#open.at(-1);
    if (!open) {
      this.#digests.push(sha256(text));
    } else if (open instanceof OpenArray) {
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

/** JSON of a scalar, or the hash of a long string. */
function toScalarText(value: unknown): string {
  if (typeof value !== 'string' || value.length <= LONG_TEXT) return JSON.stringify(value);
  return `"${createHash('sha256').update(value, 'utf16le').digest('hex')}`;
}

function shorten(text: string): string {
  return text.length <= LONG_TEXT ? text : sha256(text);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
