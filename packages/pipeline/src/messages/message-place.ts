import type { JsonKind } from './json-source.ts';
import { keepNumbers } from './number-texts.ts';
import type { TextPath } from './text-path.ts';
import { below } from './text-path.ts';

/**
 * What a text of a conversation is read as: `call` is what a model writes that is no answer, the
 * arguments of its tool calls and its reasoning.
 */
export type TextUse = 'system' | 'prompt' | 'response' | 'context' | 'call';

/** One text of a conversation. */
export interface MessageText {
  readonly use: TextUse;
  readonly text: string;
  readonly messageIndex: number;
  /** Index in the message's list of parts; null where it has none. */
  readonly partIndex: number | null;
  readonly path: TextPath;
  /** Whether it is the name of a member of a JSON value. */
  readonly isName: boolean;
  /** The content that the text is a part of, or all of; undefined for JSON, names and members beside it. */
  readonly content?: TextPath | undefined;
  /** Its role in a JSON value, and the path of the whole value; undefined for other texts. */
  readonly json?: { readonly whole: TextPath; readonly kind: JsonKind } | undefined;
  /** Of the name of a JSON member: its value where that has no text, `true`, `false` or `null`. */
  readonly literal?: string | undefined;
}

/** A part without a text that could be scanned: an image, a sound, a file, an item that only refers to another. */
interface SkippedPlace {
  readonly messageIndex: number;
  readonly partIndex: number | null;
  readonly path: TextPath;
  readonly type: string;
}

/** What is done with the texts, with what has none, and with what is of another form than messages have. */
export interface MessageVisitor {
  replace(text: MessageText): string;
  skip(place: SkippedPlace): void;
  /** Told of `true`, `false` or `null` as the value of the JSON member whose name was visited last. */
  literal?(value: string): void;
  /** Told how many values JSON as text has, before it is parsed. */
  weigh?(values: number): void;
  /** When it returns, the walk goes on behind the value. */
  refuse(path: TextPath, expected: string, value: unknown): void;
}

/** Members of a message, a part or an item. */
export type Members = Readonly<Record<string, unknown>>;

/** Where the walk is. */
export interface Place {
  readonly visitor: MessageVisitor;
  readonly messageIndex: number;
  readonly partIndex: number | null;
  readonly path: TextPath;
  /** See {@link MessageText}. */
  readonly content?: TextPath | undefined;
}

/** Tells of a part without a text. */
export function skipped(members: Members, place: Place): Members {
  const { visitor, messageIndex, partIndex, path } = place;
  visitor.skip({ messageIndex, partIndex, path, type: String(members.type) });
  return members;
}

/** The place of a text. Written out, as V8 makes a slow object of a spread with further members. */
export function withPath({ visitor, messageIndex, partIndex }: Place, path: TextPath): Place {
  return { visitor, messageIndex, partIndex, path };
}

/** The place of a text that is a part of a content, or all of it. */
export function inContent(
  { visitor, messageIndex, partIndex, path }: Place,
  content: TextPath | undefined,
): Place {
  return { visitor, messageIndex, partIndex, path, content };
}

/** The place of a member or an element. */
export function at(place: Place, key: string | number): Place {
  return withPath(place, below(place.path, key));
}

/** Whether a value is an object with members. */
export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Tells of a value of another form; it stays as it is. */
export function refused(value: unknown, expected: string, { visitor, path }: Place): unknown {
  visitor.refuse(path, expected, value);
  return value;
}

/** A copy with other members where one of them differs; the object itself otherwise. */
export function changed(members: Members, next: Members): Members {
  const names = Object.keys(next).filter((name) => next[name] !== members[name]);
  if (names.length === 0) return members;
  const copy = { ...members, ...Object.fromEntries(names.map((name) => [name, next[name]])) };
  return keepNumbers(copy, members);
}
