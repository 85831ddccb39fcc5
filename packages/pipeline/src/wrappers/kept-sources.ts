import { isDeepStrictEqual } from 'node:util';
import { isMembers } from '../messages/message-place.ts';
import { parseJson, writeJson } from '../messages/number-texts.ts';
import type { Members } from './endpoint.ts';
import type { ServerSentEvent } from './server-sent-events.ts';

/** The texts that the events of a stream were parsed from, so that an unchanged event is sent byte for byte. */
export interface KeptSources {
  /** The object in the data of an event; undefined for another JSON value. @throws SyntaxError for invalid JSON */
  read(came: ServerSentEvent): Members | undefined;
  /** The events to send for `given`: `given` itself where the only one is equal to it. */
  unchanged(given: Members, passed: readonly Members[]): readonly Members[];
  /** The data of an event as JSON: its source where it has one, otherwise with numbers as the source has them. */
  dataOf(event: Members): string;
}

/** JSON that is parsed and written again may differ from its source. */
export function createKeptSources(): KeptSources {
  const sources = new WeakMap<Members, string>();
  const likes = new WeakMap<Members, Members>();
  return {
    read({ data }) {
      const event = parseJson(data);
      if (!isMembers(event)) return undefined;
      sources.set(event, data);
      return event;
    },
    unchanged(given, passed) {
      const [only] = passed;
      if (passed.length === 1 && isDeepStrictEqual(only, given)) return [given];
      for (const event of passed) likes.set(event, given);
      return passed;
    },
    dataOf: (event) => sources.get(event) ?? writeJson(event, likes.get(event)),
  };
}
