import type { TestContext } from 'node:test';

/** A request of a provider, shaped as its documents or recordings show it, and what it shall lead to. */
export interface Replay {
  readonly from: string;
  readonly does: string;
  readonly run: (t: TestContext) => unknown;
  readonly expected: unknown;
}

/** Replays by the name of the quirk. */
export type Replays = Readonly<Record<string, readonly Replay[]>>;
