/** One event of a stream of server-sent events (WHATWG HTML, section 9.2). */
export interface ServerSentEvent {
  /** Empty where the event has no name. */
  readonly event: string;
  readonly data: string;
}

/** Cuts a text that comes in parts into events. Comments, ids and retry times are left out. */
export function createEventReader(): {
  feed(text: string): ServerSentEvent[];
  end(): ServerSentEvent[];
} {
  let rest = '';
  let event = '';
  let data: string[] = [];
  const takeLine = (line: string): ServerSentEvent[] => {
    if (line === '') {
      const events = data.length === 0 ? [] : [{ event, data: data.join('\n') }];
      event = '';
      data = [];
      return events;
    }
    const [name = '', value = ''] = line.match(/^([^:]*)(?:: ?(.*))?$/s)?.slice(1) ?? [];
    if (name === 'event') event = value;
    if (name === 'data') data.push(value);
    return [];
  };
  return {
    feed(text) {
      // A carriage return at the end may be the first half of a line end.
      const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      return lines.flatMap(takeLine);
    },
    end: () => [rest.replace(/\r$/, ''), ''].flatMap(takeLine),
  };
}

/** An event as it is sent. */
export function writeEvent({ event, data }: ServerSentEvent): string {
  const name = event === '' ? '' : `event: ${event}\n`;
  return `${name}${data.replace(/^/gm, 'data: ')}\n\n`;
}
