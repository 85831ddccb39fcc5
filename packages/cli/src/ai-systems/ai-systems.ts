import type { AiSystem, AiSystemChanges } from '@probity/client';
import type { CommandContext } from '../context.ts';
import type { ServerFlags } from '../credentials/access.ts';
import type { ExitCode } from '../exit-codes.ts';
import { EXIT } from '../exit-codes.ts';
import { usageFailure } from '../failure.ts';
import { openSession } from '../server/session.ts';
import { printListing } from '../terminal/listing.ts';
import { visible } from '../terminal/text.ts';

/** A class of AI systems, as the API names it. */
export type RiskClass = NonNullable<AiSystem['riskClass']>;

/** Flags of `probity ai-systems list`. */
export interface AiSystemListFlags extends ServerFlags {
  readonly limit: number;
  readonly json?: true;
}

/** Flags of `probity ai-systems create` and `update`. */
export interface AiSystemFlags extends ServerFlags {
  readonly name?: string;
  /** Empty for none. */
  readonly description?: string;
  readonly riskClass?: RiskClass | 'none';
  /** Empty for nobody. */
  readonly owner?: string;
  readonly json?: true;
}

/** Prints AI systems, oldest first. */
export async function listAiSystems(
  flags: AiSystemListFlags,
  context: CommandContext,
): Promise<ExitCode> {
  const { client } = await openSession(flags, context);
  const { signal } = context;
  return printListing<AiSystem>(
    (limit) => client.compliance.listAiSystems({ limit }, { signal }),
    [
      { title: 'id', value: ({ id }) => id },
      { title: 'risk class', value: ({ riskClass }) => riskClass ?? 'not classified' },
      { title: 'name', value: ({ name }) => name },
      { title: 'owner', value: ({ owner }) => owner ?? '' },
    ],
    flags,
    context,
  );
}

/** Registers an AI system and prints it. */
export async function createAiSystem(
  flags: AiSystemFlags & { readonly name: string },
  context: CommandContext,
): Promise<ExitCode> {
  const { client } = await openSession(flags, context);
  const body = { ...membersOf(flags), name: flags.name };
  const { signal } = context;
  return print(await client.compliance.createAiSystem(body, { signal }), flags, context);
}

/** Changes an AI system and prints it. @throws CommandFailure without a change */
export async function updateAiSystem(
  id: string,
  flags: AiSystemFlags,
  context: CommandContext,
): Promise<ExitCode> {
  const changes = membersOf(flags);
  if (Object.keys(changes).length === 0) {
    throw usageFailure('nothing to change: give --name, --description, --risk-class or --owner');
  }
  const { client } = await openSession(flags, context);
  const { signal } = context;
  return print(await client.compliance.updateAiSystem(id, changes, { signal }), flags, context);
}

/** Deletes an AI system. */
export async function deleteAiSystem(
  id: string,
  flags: ServerFlags,
  context: CommandContext,
): Promise<ExitCode> {
  const { client } = await openSession(flags, context);
  await client.compliance.deleteAiSystem(id, { signal: context.signal });
  await context.err.write(`The AI system ${id} is deleted.\n`);
  return EXIT.ok;
}

/** The members that are given; what the API has as null is given by an empty text or `none`. */
function membersOf({ name, description, riskClass, owner }: AiSystemFlags): AiSystemChanges {
  return {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description: description === '' ? null : description }),
    ...(riskClass === undefined ? {} : { riskClass: riskClass === 'none' ? null : riskClass }),
    ...(owner === undefined ? {} : { owner: owner === '' ? null : owner }),
  };
}

async function print(
  system: AiSystem,
  { json }: AiSystemFlags,
  { out }: CommandContext,
): Promise<ExitCode> {
  if (json || !out.isTerminal) {
    await out.write(`${JSON.stringify(system)}\n`);
    return EXIT.ok;
  }
  const { id, name, description, riskClass, owner } = system;
  const lines = [
    ['AI system', name],
    ['Id', id],
    ['Risk class', riskClass ?? 'not classified'],
    ['Owner', owner],
    ['Description', description],
  ].filter(([, text]) => text);
  await out.write(
    lines.map(([title = '', text]) => `${title?.padEnd(14)}${visible(text ?? '')}\n`).join(''),
  );
  return EXIT.ok;
}
