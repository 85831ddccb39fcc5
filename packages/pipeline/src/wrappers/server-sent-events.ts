import { StreamTooLongError } from '../errors.ts';
import { DEFAULT_MAX_HELD } from './held-amount.ts';

/** One event of a stream of server-sent events (WHATWG HTML, section 9.2). */
export interface ServerSentEvent {
  /** Empty where the event has no name. */
  readonly event: string;
  readonly data: string;
}

/** Cuts a text that comes in parts into events. */
export interface EventReader {
  /** @throws StreamTooLongError for an event, or a line, that is longer than it may be */
  feed(text: string): ServerSentEvent[];
  /** What the last line says. Throws as `feed` does. */
  end(): ServerSentEvent[];
}

/**
 * Makes a reader. Comments, ids and retry times are left out.
 *
 * @param maxLength the longest event in UTF-16 units
 */
export function createEventReader(maxLength: number = DEFAULT_MAX_HELD): EventReader {
  // The beginning of a line whose end has not come; what came before is not searched again.
  let line = '';
  // A carriage return at the end of a part, which may be the first half of a line end.
  let cut = '';
  let length = 0;
  let event = '';
  let data: string[] = [];
  const limit = (units: number) => {
    if (units > maxLength) throw new StreamTooLongError(maxLength);
  };
  const takeLine = (line: string): ServerSentEvent[] => {
    if (line === '') {
      const events = data.length === 0 ? [] : [{ event, data: data.join('\n') }];
      event = '';
      data = [];
      length = 0;
      return events;
    }
    const [name = '', value = ''] = line.match(/^([^:]*)(?:: ?(.*))?$/s)?.slice(1) ?? [];
    if (name === 'event') event = value;
    if (name === 'data') {
      // An empty line of data takes space as well.
      length += value.length + 1;
      limit(length);
      data.push(value);
    }
    return [];
  };
  return {
    feed(text) {
      const lines = (cut + text).split(/\r\n|\n|\r(?!$)/);
      const last = lines.pop() ?? '';
      cut = last.endsWith('\r') ? '\r' : '';
      if (lines.length > 0) {
        lines[0] = line + lines[0];
        line = '';
      }
      line += cut === '' ? last : last.slice(0, -1);
      limit(line.length);
      return lines.flatMap(takeLine);
    },
    end: () => [line, ''].flatMap(takeLine),
  };
}

/** An event as it is sent. */
export function writeEvent({ event, data }: ServerSentEvent): string {
  const name = event === '' ? '' : `event: ${event}\n`;
  return `${name}${data.replace(/(?<=^|\n)/g, 'data: ')}\n\n`;
}
