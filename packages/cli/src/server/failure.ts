import {
  AuthenticationError,
  ConnectionError,
  PermissionError,
  ProbityError,
} from '@probity/client';
import type { ExitCode } from '../exit-codes.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandFailure, reasonOf } from '../failure.ts';
import { visible } from '../terminal/text.ts';

/** What the person at the terminal is told of a failure, and the exit code that it has. */
export function failureOf(error: unknown): CommandFailure {
  if (error instanceof ProbityError) {
    return new CommandFailure(exitCodeOf(error), textOf(error), { cause: error });
  }
  const reason = error instanceof Error ? error.message : String(error);
  const text = `unexpected failure: ${visible(reason)} (--debug shows where)`;
  return new CommandFailure(EXIT.server, text, { cause: error });
}

function exitCodeOf(error: ProbityError): ExitCode {
  if (error instanceof ConnectionError) return EXIT.network;
  const isAccess = error instanceof AuthenticationError || error instanceof PermissionError;
  return isAccess ? EXIT.access : EXIT.server;
}

function textOf(error: ProbityError): string {
  const { code, details, requestId, cause } = error;
  const reason = error instanceof ConnectionError && cause ? `: ${reasonOf(innermost(cause))}` : '';
  const fields = details.map(({ field, message }) => `\n  ${visible(field)}: ${visible(message)}`);
  const origin = [code, ...(requestId ? [`request ${requestId}`] : [])].join(', ');
  const message = visible(error.message).replace(/\.$/, '');
  return `${message}${reason} (${visible(origin)})${fields.join('')}`;
}

/** `fetch failed` has what happened as its cause. */
function innermost(error: unknown): unknown {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause === undefined ? error : innermost(cause);
}
