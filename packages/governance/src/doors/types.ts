import type { Scan } from '../scans/types.ts';

/** Whose words a text are: the operator's instructions, what the model is asked or given, what it answers. */
export type TextUse = 'system' | 'prompt' | 'response';

/** A text in the request of a gateway. */
export interface DoorText {
  readonly use: TextUse;
  readonly text: string;
  /** The text is JSON, such as the arguments of a tool call, and must be JSON with values masked as well. */
  readonly isJson?: boolean | undefined;
  /** The gateway takes back no other text in its place. Default false. */
  readonly isFixed?: boolean | undefined;
}

/** Texts that are judged together, as one scan. */
export interface DoorScan {
  /** In the order of the request; none: nothing is scanned, and the content passes. */
  readonly texts: readonly DoorText[];
  /** Tags of the scan, such as the gateway's own id of the call. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** What is decided on a scan, for the gateway's own answer. */
export interface DoorOutcome {
  /** Why the content must not pass: stages and types, never the matched text; null where it may. */
  readonly blocked: string | null;
  /** All texts in order with what a policy redacts replaced; null where nothing is, or the content is blocked. */
  readonly masked: readonly string[] | null;
  /** The stored record; null where there was nothing to scan. */
  readonly scan: Scan | null;
}

/** The protocol of a gateway: how its requests are read, and how they are answered. */
export interface DoorProtocol<Body, Answer> {
  /** Name in the tags of scans: `litellm`. */
  readonly name: string;
  /** The scans that a request asks for. */
  read(body: Body): readonly DoorScan[];
  /** The answer; `outcomes` are those of the scans, in order. */
  write(body: Body, outcomes: readonly DoorOutcome[]): Answer;
}
