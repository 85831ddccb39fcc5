import type { RedactionMark } from '../redaction/redactor.ts';
import type { GuardedCall } from './answer-guard.ts';
import type { HeldAmount } from './held-amount.ts';
import type { RunText } from './text-run.ts';
import { TextRun } from './text-run.ts';

/** Names a text of a stream. */
export interface TextName {
  /** The texts that a client reads in one go, such as those of the blocks of an answer. */
  readonly run: string;
  /** Which text of the run it is. */
  readonly key: string;
}

/** A part of a text that an event has. */
export interface EventText extends TextName {
  /** Where texts come at the same time: their order. */
  readonly order?: number;
  readonly text: string;
}

/** What an event has for the texts of a stream. */
export interface TextsOfEvent {
  readonly texts?: readonly EventText[];
  /** The texts that end with it. */
  readonly ended?: readonly TextName[];
  /** Whether no text comes after it. */
  readonly isLast?: boolean;
  /** Whether it says nothing, and waits for no other event. */
  readonly isIdle?: boolean;
}

/** A stream whose texts meet. */
export interface BorderedStream<Event> {
  read(event: Event): TextsOfEvent;
  /** Has ranges of a text replaced beside what is found in it by itself. */
  redact(text: TextName, marks: readonly RedactionMark[]): Promise<void>;
  /** Gives what may be passed on after an event. */
  pass(event: Event): Promise<readonly Event[]>;
}

/** The events of a stream, in the order in which they came, each when the borders of its texts have been looked at. */
export interface BorderedEvents<Event> {
  take(event: Event): Promise<readonly Event[]>;
  /** Passes all that waits: no more events come. */
  end(): Promise<readonly Event[]>;
}

const NONE: readonly never[] = [];

/** A text of an event that waits. */
interface Named {
  readonly name: TextName;
  readonly run: TextRun;
  readonly of: RunText;
}

/** An event that waits. */
interface Waiting<Event> {
  readonly event: Event;
  readonly texts: readonly Named[];
  readonly ended: readonly Named[];
  readonly isLast: boolean;
}

/**
 * Looks at the borders between texts of a stream before what lies there is passed on. The event that ends a text waits
 * while the end of the text may be the beginning of a value, and those of the next text wait until enough of it has
 * come to see the border; no event overtakes one that waits.
 */
export function createBorderedEvents<Event>(
  call: Pick<GuardedCall, 'checkTogether'>,
  amount: HeldAmount,
  stream: BorderedStream<Event>,
): BorderedEvents<Event> {
  const runs = new Map<string, TextRun>();
  let queue: Waiting<Event>[] = [];
  /** How many of the queue have been passed on. */
  let gone = 0;
  let isOver = false;
  const runOf = (name: string) => {
    const run = runs.get(name) ?? new TextRun((pieces) => call.checkTogether(pieces));
    runs.set(name, run);
    return run;
  };

  function note(event: Event, read: TextsOfEvent): Waiting<Event> {
    const { texts = NONE, ended = NONE, isLast = false } = read;
    const added: Named[] = [];
    for (const given of texts) {
      if (given.text === '') continue;
      const run = runOf(given.run);
      added.push({ name: given, run, of: run.add(given.key, given.text, given.order) });
    }
    const over: Named[] = [];
    for (const name of ended) {
      const run = runOf(name.run);
      const of = run.close(name.key);
      if (of !== undefined) over.push({ name, run, of });
    }
    return { event, texts: added, ended: over, isLast };
  }

  /** Whether a border of one of its texts has to be looked at first. */
  function mustWait({ texts, ended }: Waiting<Event>): boolean {
    return (
      texts.some(({ run, of }) => run.isOpenBefore(of)) ||
      ended.some(({ run, of }) => run.isOpenAfter(of, isOver))
    );
  }

  async function redactNew({ name, of }: Pick<Named, 'name' | 'of'>): Promise<void> {
    await stream.redact(name, of.takeMarks());
  }

  /** What has not ended by itself ends with the stream. */
  async function redactOpen(): Promise<void> {
    for (const [name, run] of runs) {
      for (const [key, of] of run.open) {
        if (of.hasMarks) await redactNew({ name: { run: name, key }, of });
      }
    }
  }

  async function passOne({ event, texts, ended, isLast }: Waiting<Event>) {
    // Nearly all events have none: a promise for each would be most of what this costs.
    for (const named of texts) if (named.of.hasMarks) await redactNew(named);
    for (const named of ended) if (named.of.hasMarks) await redactNew(named);
    if (isLast) await redactOpen();
    return stream.pass(event);
  }

  function hasBorders(): boolean {
    for (const run of runs.values()) if (run.hasBorders) return true;
    return false;
  }

  async function settle(): Promise<void> {
    for (const run of runs.values()) if (run.hasBorders) await run.settle(isOver);
  }

  async function drain(): Promise<Event[]> {
    const passed: Event[] = [];
    for (; gone < queue.length; gone += 1) {
      const waiting = queue[gone] as Waiting<Event>;
      if (mustWait(waiting)) break;
      amount.replace(waiting.event, undefined);
      passed.push(...(await passOne(waiting)));
    }
    // Not at each event: a copy of all that waits takes a time of its own for each.
    if (2 * gone > queue.length) {
      queue = queue.slice(gone);
      gone = 0;
    }
    return passed;
  }

  return {
    async take(event) {
      const read = stream.read(event);
      if (read.isIdle) return stream.pass(event);
      isOver = read.isLast === true;
      const waiting = note(event, read);
      if (hasBorders()) await settle();
      if (gone === queue.length && !mustWait(waiting)) return passOne(waiting);
      amount.replace(undefined, event);
      queue.push(waiting);
      return drain();
    },
    async end() {
      isOver = true;
      await settle();
      const rest = await drain();
      await redactOpen();
      return rest;
    },
  };
}
