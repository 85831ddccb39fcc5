import { nameWithin } from './field-names.ts';
import type { RecordSink } from './record-sink.ts';
import { STEP } from './record-sink.ts';

/** A string, a literal or number, or a sign; what is between them is passed over. */
const TOKEN = /"([^"\\]*(?:\\.[^"\\]*)*)(?:"|\\?$)(\s*:)?|([[\]{}])|([\w.+-]+)/gs;

/** A list or an object that is open. */
interface Level {
  readonly isList: boolean;
  /** Whether it is a record of its own: an element of a list. */
  readonly isRecord: boolean;
  /** The names that lead to it within its record. */
  readonly path: string;
}

/**
 * Reads JSON, also several values one behind the other, and one that is cut off. An object or a list that is an element of
 * a list is a record; objects within objects belong to the record around them.
 */
export function* readJsonRecords(text: string, sink: RecordSink): Generator<void> {
  const levels: Level[] = [];
  let name = '';
  let count = 0;
  for (const [, string, colon, bracket, word] of text.matchAll(TOKEN)) {
    const level = levels.at(-1);
    if (bracket === '[' || bracket === '{') {
      if (name !== '') sink.name(name);
      const isRecord = level === undefined || level.isList;
      const path = isRecord || bracket === '[' ? name : nameWithin(level.path, name);
      levels.push({ isList: bracket === '[', isRecord, path });
      if (isRecord) sink.begin();
      name = '';
    } else if (bracket !== undefined) {
      if (levels.pop()?.isRecord) sink.end();
    } else if (string !== undefined && colon !== undefined && level?.isList !== true) {
      name = unescaped(string);
    } else {
      const value = string === undefined ? (word as string) : unescaped(string);
      sink.value(level === undefined || level.isList ? '' : nameWithin(level.path, name), value);
      name = '';
    }
    if (++count % STEP === 0) yield;
  }
  for (const level of levels.reverse()) if (level.isRecord) sink.end();
}

function unescaped(raw: string): string {
  if (!raw.includes('\\')) return raw;
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch {
    return raw;
  }
}
