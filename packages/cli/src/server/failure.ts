import {
  AuthenticationError,
  ConnectionError,
  InvalidRequestError,
  PermissionError,
  ProbityError,
} from '@probity/client';
import type { Command, Option } from 'commander';
import type { ExitCode } from '../exit-codes.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandFailure, reasonOf, usageFailure } from '../failure.ts';
import { nearestOf } from '../nearest.ts';
import { visible } from '../terminal/text.ts';

/**
 * What the person at the terminal is told of a failure, and the exit code that it has.
 * @param command the one that has failed: fields that the server refuses are named as its options are
 */
export function failureOf(error: unknown, command?: Command): CommandFailure {
  if (error instanceof ProbityError) {
    const refused = command && refusedOptions(error, command);
    if (refused) return usageFailure(refused.join('\n'), error);
    return new CommandFailure(exitCodeOf(error), textOf(error), { cause: error });
  }
  const reason = error instanceof Error ? error.message : String(error);
  const text = `unexpected failure: ${visible(reason)} (--debug shows where)`;
  return new CommandFailure(EXIT.server, text, { cause: error });
}

/** A line for each option that the server refuses; undefined where it refuses something else as well. */
function refusedOptions(error: ProbityError, command: Command): string[] | undefined {
  if (!(error instanceof InvalidRequestError) || error.details.length === 0) return undefined;
  const lines = error.details.flatMap(({ field, message }) => {
    const name = field.split('.')[0] ?? '';
    const option = command.options.find((each) => isFieldOf(each, name));
    if (option) return [`${option.long}: ${visible(message)}${suggestion(option, command)}`];
    const argument = command.registeredArguments.find((each) => each.name() === name);
    return argument ? [`<${name}>: ${visible(message)}`] : [];
  });
  return lines.length === error.details.length ? lines : undefined;
}

/** Several of `--label` are the field `labels`. */
function isFieldOf(option: Option, field: string): boolean {
  const name = option.attributeName();
  return field === name || field === `${name}s`;
}

/** The choice that the value was perhaps meant to be. */
function suggestion(option: Option, command: Command): string {
  const given: unknown = command.opts()[option.attributeName()];
  const nearest = typeof given === 'string' && nearestOf(given, option.argChoices ?? []);
  if (!nearest) return '';
  const meant: unknown = option.parseArg ? option.parseArg(nearest, undefined) : nearest;
  return meant === given ? '' : `\n(Did you mean ${nearest}?)`;
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
