/** An example of an operation: a request and its responses. */
export interface OperationExample {
  /** The body of the request. */
  readonly request?: unknown;
  /** Bodies of responses by status. */
  readonly responses?: Readonly<Record<number, unknown>>;
}

/** Examples by operation id; those of an alias are its endpoint's. */
export type OperationExamples = Readonly<Record<string, OperationExample>>;

/** What documents say about a group of endpoints beside their declarations. */
export interface GroupDocumentation {
  /** What the operations with a tag are about, in one or two sentences, by the name of the tag. */
  readonly tags?: Readonly<Record<string, string>>;
  readonly examples?: OperationExamples;
}

/** Joins the documentation of groups; of two entries with one name, the later one counts. */
export function joinDocumentation(
  parts: ReadonlyArray<GroupDocumentation | undefined>,
): GroupDocumentation {
  return {
    tags: Object.assign({}, ...parts.map((part) => part?.tags)),
    examples: Object.assign({}, ...parts.map((part) => part?.examples)),
  };
}
