import type { FieldError } from '@probity/core';
import { validationError } from '@probity/core';
import type { RoutingInput } from './input.ts';
import type { IntegrationType, Routing } from './types.ts';

/** The members of a routing that only one type of system has. */
const MEMBERS = {
  itsm: ['category', 'subcategory'],
  chatops: ['team_id', 'channel_id', 'chat_id'],
} as const satisfies Record<IntegrationType, ReadonlyArray<keyof RoutingInput>>;

/**
 * The routing that the input describes.
 * @throws ProbityError `validation_failed` naming members that do not fit the type, or that are missing
 */
export function toRouting(input: RoutingInput, type: IntegrationType): Routing {
  const errors = [
    ...foreignMembers(input, type),
    ...(type === 'chatops' ? placeErrors(input) : []),
  ];
  if (errors.length > 0) throw validationError(...errors);
  const { severities, category, subcategory, team_id, channel_id, chat_id } = input;
  return {
    severities: [...new Set(severities)],
    ...(category === undefined ? {} : { category }),
    ...(subcategory === undefined ? {} : { subcategory }),
    ...(team_id === undefined ? {} : { teamId: team_id }),
    ...(channel_id === undefined ? {} : { channelId: channel_id }),
    ...(chat_id === undefined ? {} : { chatId: chat_id }),
  };
}

/** A routing in the form of its input. */
export function toRoutingInput(routing: Routing): RoutingInput {
  const { severities, category, subcategory, teamId, channelId, chatId } = routing;
  return {
    severities: [...severities],
    ...(category === undefined ? {} : { category }),
    ...(subcategory === undefined ? {} : { subcategory }),
    ...(teamId === undefined ? {} : { team_id: teamId }),
    ...(channelId === undefined ? {} : { channel_id: channelId }),
    ...(chatId === undefined ? {} : { chat_id: chatId }),
  };
}

function foreignMembers(input: RoutingInput, type: IntegrationType): FieldError[] {
  const other = type === 'itsm' ? 'chatops' : 'itsm';
  return MEMBERS[other]
    .filter((name) => input[name] !== undefined)
    .map((name) => faultOf(name, `must be absent for an integration of the type ${type}`));
}

function placeErrors({ team_id, channel_id, chat_id }: RoutingInput): FieldError[] {
  const hasChannel = team_id !== undefined || channel_id !== undefined;
  if (chat_id !== undefined) {
    return hasChannel ? [faultOf('chat_id', 'must be absent beside a channel')] : [];
  }
  const missing = 'is required, or chat_id in place of team_id and channel_id';
  return [
    ...(team_id === undefined ? [faultOf('team_id', missing)] : []),
    ...(channel_id === undefined ? [faultOf('channel_id', missing)] : []),
  ];
}

function faultOf(name: keyof RoutingInput, message: string): FieldError {
  return { field: `routing.${name}`, message };
}
