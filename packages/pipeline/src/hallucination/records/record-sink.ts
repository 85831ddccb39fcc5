/** Takes the records of a structured source as they are read. */
export interface RecordSink {
  /** Begins a record within the one at hand: an element of a list, or a row. */
  begin(): void;
  /** Ends the record that was begun last. */
  end(): void;
  /** A word for what follows that has no value of its own, such as the name of a list or a column. */
  name(name: string): void;
  /**
   * A value of the record at hand.
   *
   * @param name of the member or the column; empty for an element of a list
   * @param value as written, without quotes
   */
  value(name: string, value: string): void;
  /** Takes a paragraph of prose. */
  prose(text: string): void;
}

/** Reads a text into a sink; yields after some thousand values. */
export type ReadRecords = (text: string, sink: RecordSink) => Generator<void>;

/** Values between two yields. */
export const STEP = 1024;
