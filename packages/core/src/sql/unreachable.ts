/**
 * Adds the server of `url`, without its password, to a connection error; returns any other error
 * unchanged. Node's message is empty when a name has several addresses and all refuse.
 */
export function nameUnreachableServer(error: unknown, url: string): unknown {
  const reasons = connectFailures(error);
  if (reasons.length === 0) return error;
  const server = (URL.canParse(url) && new URL(url).host) || 'of the database URL';
  const reason = reasons.map(({ message }) => message).join('; ');
  return new Error(`The database server ${server} cannot be reached: ${reason}`, { cause: error });
}

function connectFailures(error: unknown): Error[] {
  if (!(error instanceof Error)) return [];
  if (error instanceof AggregateError) return error.errors.flatMap(connectFailures);
  const { syscall } = error as NodeJS.ErrnoException;
  const isOfConnecting =
    syscall === 'connect' ||
    syscall === 'getaddrinfo' ||
    error.message === 'Connection terminated due to connection timeout';
  return isOfConnecting ? [error] : [];
}
