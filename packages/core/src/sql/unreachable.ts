/**
 * Adds the server of `url`, without its password, to a connection error; returns any other error
 * unchanged. Node's message is empty when a name has several addresses and all refuse.
 */
export function nameUnreachableServer(error: unknown, url: string): unknown {
  const server = (URL.canParse(url) && new URL(url).host) || 'of the database URL';
  if (isRefusedByPooler(error)) {
    const remedy = 'add pgbouncer=true to the query of the database URL';
    return new Error(`The database server ${server} is a pooler: ${remedy}`, { cause: error });
  }
  const reasons = connectFailures(error);
  if (reasons.length === 0) return error;
  const reason = reasons.map(({ message }) => message).join('; ');
  return new Error(`The database server ${server} cannot be reached: ${reason}`, { cause: error });
}

/** PgBouncer refuses the settings of a session that PostgreSQL takes with the connection. */
function isRefusedByPooler(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('unsupported startup parameter');
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
