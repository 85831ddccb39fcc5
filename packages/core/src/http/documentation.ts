/** What documents say about a group of endpoints beside their declarations. */
export interface GroupDocumentation {
  /** What the operations with a tag are about, in one or two sentences, by the name of the tag. */
  readonly tags?: Readonly<Record<string, string>>;
}

/** Joins the documentation of groups; of two entries with one name, the later one counts. */
export function joinDocumentation(
  parts: ReadonlyArray<GroupDocumentation | undefined>,
): GroupDocumentation {
  return { tags: Object.assign({}, ...parts.map((part) => part?.tags)) };
}
