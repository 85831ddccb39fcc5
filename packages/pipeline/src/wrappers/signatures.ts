type Members = Readonly<Record<string, unknown>>;

/**
 * Messages in which reasoning that was redacted has no signature: it is for the text as the model wrote it.
 *
 * @param given the messages before they were redacted, in the same order
 */
export function withoutWrongSignatures<Message extends object>(
  given: readonly Message[],
  redacted: readonly Message[],
): readonly Message[] {
  return redacted.map((message, index) => {
    const before = (given[index] as Members).content;
    const { content } = message as Members;
    if (content === before || !Array.isArray(content) || !Array.isArray(before)) return message;
    return { ...message, content: content.map((part, at) => unsigned(part, before[at])) };
  });
}

function unsigned(part: Members, before: Members): Members {
  return part !== before && typeof part.signature === 'string' ? { ...part, signature: '' } : part;
}
