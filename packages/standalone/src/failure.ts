/** A failure whose message tells a person, in one line, what is wrong and what to do. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
}

/** The message of anything thrown, without line breaks. */
export function messageOf(thrown: unknown): string {
  const text = thrown instanceof AggregateError ? joinMessages(thrown) : String(thrownText(thrown));
  return text.replace(/\s*\n\s*/g, ' ').trim();
}

function thrownText(thrown: unknown): unknown {
  return thrown instanceof Error ? thrown.message : thrown;
}

// Node reports a refused connection to a name with several addresses as an aggregate without a text.
function joinMessages({ errors, message }: AggregateError): string {
  return message || errors.map(thrownText).join('; ');
}
