import type { Applicable } from '@probity/governance';
import type { Redactor } from '@probity/pipeline';
import { createRedactor } from '@probity/pipeline';
import type { GatewaySnapshot } from '../snapshot/snapshot.ts';

/** By what a call is judged, and what becomes of personal data in it. One for each call. */
export interface Restoration {
  readonly policies: readonly Applicable[];
  /** Replaces what the policies redact, towards the model and towards the client. */
  readonly redactor: Redactor;
  /** Opens a text of the answer that comes in parts: puts the values of the request back. */
  openText(): TextRestorer;
  /** The same for messages of an answer, arguments of tool calls included. */
  restoreMessages<Message extends object>(messages: readonly Message[]): readonly Message[];
}

/** Restores a text that comes in parts. */
export interface TextRestorer {
  /** Takes what may be passed on, and gives what is restored of it. */
  feed(text: string): string;
  /** Gives the rest. */
  end(): string;
}

/** Who called, and with what. */
export interface RestorationRequest {
  /** The API key as it was sent; null for a request without one. */
  readonly token: string | null;
  /** The messages of the request. */
  readonly asked: readonly object[];
}

/** Chooses how personal data of a call is treated: it blocks, as everywhere. */
export function chooseRestoration(
  { policies }: GatewaySnapshot,
  _request: RestorationRequest,
): Restoration {
  return {
    policies: policies.blocking,
    redactor: createRedactor(),
    openText: () => ({ feed: (text) => text, end: () => '' }),
    restoreMessages: (messages) => messages,
  };
}
