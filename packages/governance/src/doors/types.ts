import type { Steps } from '@probity/pipeline/messages';
import type { Scan } from '../scans/types.ts';

/** Messages that are judged together, as one scan. */
export interface DoorScan {
  /** In the order of the request; none: nothing is scanned, and the content passes. */
  readonly messages: readonly object[];
  /** Tags of the scan, such as the gateway's own id of the call. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** What is decided on a scan, for the gateway's own answer. */
export interface DoorOutcome {
  /** Why the content must not pass: stages and types, never the matched text; null where it may. */
  readonly blocked: string | null;
  /** All messages in order with redacted values; null where no policy redacts, or the content is blocked. */
  readonly masked: readonly object[] | null;
  /** The stored record; null where there was nothing to scan. */
  readonly scan: Scan | null;
}

/** The protocol of a gateway: how its requests are read, and how they are answered. */
export interface DoorProtocol<Body, Answer> {
  /** Name in the tags of scans: `litellm`. */
  readonly name: string;
  /** Steps that end with the request, since a body may have very many messages. */
  read(body: Body): Steps<DoorRequest<Answer>>;
  /** The answer with the body in the place of its redacted copy, whose numbers keep their digits; default: it has none. */
  likeOf?(body: Body): object;
}

/** A request that was read. */
interface DoorRequest<Answer> {
  readonly scans: readonly DoorScan[];
  /** Whether the gateway accepts the redacted messages of a scan; default always. */
  canReplace?(masked: readonly object[]): boolean;
  /** The answer; `outcomes` has one for each scan, in order. */
  write(outcomes: readonly DoorOutcome[]): Answer | Promise<Answer>;
}
