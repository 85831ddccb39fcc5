import { createHash } from 'node:crypto';
import { scimError } from '../errors.ts';
import type { Position } from '../resources/types.ts';

/** Where a page begins. */
export type PageStart =
  | { readonly offset: number }
  /** Null: at the first resource. */
  | { readonly after: Position | null };

/** Cursors of other lists are refused: this identifies the list by what its request asks for. */
export function listKey(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 12);
}

/** The cursor of a page (RFC 9865). It names a position and holds no state, so it never expires. */
export function toCursor(start: PageStart, key: string): string {
  const place = 'offset' in start ? [start.offset] : toPlace(start.after);
  return Buffer.from(JSON.stringify([key, ...place])).toString('base64url');
}

function toPlace(after: Position | null): readonly unknown[] {
  return after ? [after.createdAt.getTime(), after.id] : [];
}

/** @throws ProbityError `invalidCursor` for a text that is no cursor of this list */
export function parseCursor(cursor: string, key: string): PageStart {
  const parts = decode(cursor);
  if (!Array.isArray(parts) || parts[0] !== key) {
    throw scimError('invalidCursor', 'cursor: it is not a cursor of this list');
  }
  const [, place, id] = parts as unknown[];
  if (isTime(place) && isId(id)) return { after: { createdAt: new Date(place), id } };
  if (isTime(place) && id === undefined) return { offset: place };
  throw scimError('invalidCursor', 'cursor: it is not a cursor of this list');
}

function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= 8.64e15;
}

/** Databases do not take every text: PostgreSQL refuses U+0000. */
function isId(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed() && !value.includes('\0');
}

function decode(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return null;
  }
}
