/** One line of input; `text` is undefined where the line is too long to be kept. */
export interface InputLine {
  /** From 1. */
  readonly number: number;
  readonly text: string | undefined;
}

/** The longest line that is kept, in UTF-16 units: a text of 10 MiB, escaped, with room to spare. */
const MAX_LINE_LENGTH = 64 * 1024 * 1024;

/**
 * Cuts a stream of UTF-8 bytes into lines, as many at a time as have arrived, without a wait
 * for the end of the input. A line that is longer than `maxLength` is not kept in memory. Empty
 * lines are counted and left out; a byte order mark and the carriage return of a line end are dropped.
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array | string>,
  maxLength: number = MAX_LINE_LENGTH,
): AsyncGenerator<InputLine[]> {
  const decoder = new TextDecoder();
  const splitter = createSplitter(maxLength);
  for await (const chunk of chunks) {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    const lines = splitter.feed(text);
    if (lines.length > 0) yield lines;
  }
  const last = [...splitter.feed(decoder.decode()), ...splitter.finish()];
  if (last.length > 0) yield last;
}

function createSplitter(maxLength: number) {
  // The parts of a line are joined once: adding each to the line before would copy it again and again.
  let parts: string[] = [];
  let length = 0;
  let number = 0;

  function keep(part: string): void {
    length += part.length;
    if (length > maxLength) parts = [];
    else parts.push(part);
  }
  function close(): InputLine | undefined {
    const text = length > maxLength ? undefined : parts.join('').replace(/\r$/, '');
    parts = [];
    length = 0;
    number++;
    return text !== undefined && text.trim() === '' ? undefined : { number, text };
  }
  return {
    feed(text: string): InputLine[] {
      const lines: InputLine[] = [];
      let start = 0;
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
        keep(text.slice(start, end));
        const line = close();
        if (line !== undefined) lines.push(line);
        start = end + 1;
      }
      keep(text.slice(start));
      return lines;
    },
    finish(): InputLine[] {
      const line = length === 0 ? undefined : close();
      return line === undefined ? [] : [line];
    },
  };
}
