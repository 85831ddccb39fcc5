import type { z } from 'zod';

/** An example of an operation: a request and its responses. */
export interface OperationExample {
  /** The body of the request. */
  readonly request?: unknown;
  /** Bodies of responses by status. */
  readonly responses?: Readonly<Record<number, unknown>>;
}

/** Examples by operation id; those of an alias are its endpoint's. */
export type OperationExamples = Readonly<Record<string, OperationExample>>;

/** A header of a request to receivers. */
export interface WebhookHeader {
  readonly description: string;
  /** Whether every request has it. */
  readonly isRequired: boolean;
}

/** A request that the service sends, to a receiver that a customer runs. */
export interface WebhookDocumentation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tag: string;
  /** The headers that receivers use, by name. */
  readonly headers: Readonly<Record<string, WebhookHeader>>;
  /** Schema of the JSON body. */
  readonly schema: z.ZodType;
  readonly example: unknown;
  /** Description of the responses that receivers should return. */
  readonly response: string;
}

/** What documents say about a group of endpoints beside their declarations. */
export interface GroupDocumentation {
  /** What the operations with a tag are about, in one or two sentences, by the name of the tag. */
  readonly tags?: Readonly<Record<string, string>>;
  readonly examples?: OperationExamples;
  /** Requests that the service sends, by the name of their event. */
  readonly webhooks?: Readonly<Record<string, WebhookDocumentation>>;
}

/** Joins the documentation of groups; of two entries with one name, the later one counts. */
export function joinDocumentation(
  parts: ReadonlyArray<GroupDocumentation | undefined>,
): GroupDocumentation {
  return {
    tags: Object.assign({}, ...parts.map((part) => part?.tags)),
    examples: Object.assign({}, ...parts.map((part) => part?.examples)),
    webhooks: Object.assign({}, ...parts.map((part) => part?.webhooks)),
  };
}
