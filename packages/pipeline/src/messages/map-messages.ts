import { repeatsText } from './log-odds.ts';
import type { Members, MessageVisitor, Place, TextUse } from './message-place.ts';
import { at, inContent, isMembers, refused, skipped, withPath } from './message-place.ts';
import { aside, mapFurther, mapText, mapUnread, mapValue, read } from './message-texts.ts';
import { keepNumbers } from './number-texts.ts';
import type { Steps } from './steps.ts';
import { isStepDue } from './steps.ts';
import type { TextPath } from './text-path.ts';
import { below } from './text-path.ts';
import { BASE_64, isSignature, kept, mapUnknown, READABLE } from './unknown-parts.ts';

const USE_OF: Readonly<Record<string, TextUse>> = {
  system: 'system',
  developer: 'system',
  user: 'prompt',
  assistant: 'response',
  tool: 'context',
  function: 'context',
};

/**
 * Walks through messages in the shapes of OpenAI's chat completions and responses, of the AI SDK's
 * `ModelMessage` and of Anthropic's messages, which differ in the names of members only, and replaces
 * their texts.
 *
 * @returns steps that end with the messages, those that did not change themselves
 */
export function* mapMessages(messages: unknown, visitor: MessageVisitor): Steps<unknown[]> {
  const root = below(undefined, 'messages');
  if (!Array.isArray(messages) || messages.length === 0) {
    visitor.refuse(root, 'a list of at least one message', messages);
    return [];
  }
  const mapped: unknown[] = [];
  // By index: a hole in a list is undefined and refused.
  for (let messageIndex = 0; messageIndex < messages.length; messageIndex++) {
    if (isStepDue()) yield;
    const place = { visitor, messageIndex, partIndex: null, path: below(root, messageIndex) };
    mapped.push(yield* mapMessage(messages[messageIndex], place));
  }
  return mapped;
}

function* mapMessage(members: unknown, place: Place): Steps<unknown> {
  if (!isMembers(members)) return refused(members, 'an object', place);
  const { role } = members;
  if (role === undefined && (typeof members.type === 'string' || isReference(members))) {
    return yield* mapItem(members, place);
  }
  const use = typeof role === 'string' && Object.hasOwn(USE_OF, role) ? USE_OF[role] : undefined;
  if (use === undefined) {
    const expected = `one of ${Object.keys(USE_OF).join(', ')}`;
    refused(role, expected, at(place, 'role'));
    return members;
  }
  const isOptional = use === 'response' && (members.content ?? null) === null;
  const named =
    members.name === undefined ? NONE : { name: yield* mapName(members, 'name', use, place) };
  const content = isOptional
    ? members.content
    : yield* mapContent(members.content, use, at(place, 'content'));
  const further = hasFurther(members) ? yield* mapFurtherMembers(members, use, place) : NONE;
  return yield* read(members, aside(use), place, { role, ...named, content, ...further });
}

/** Of a reference to an earlier item the type may be left out. */
function isReference({ type, id, content }: Members): boolean {
  return (type ?? null) === null && typeof id === 'string' && content === undefined;
}

const NONE: Members = {};
const FURTHER = ['refusal', 'reasoning_content', 'reasoning', 'tool_calls', 'function_call'];

function hasFurther(members: Members): boolean {
  return FURTHER.some((name) => members[name] !== undefined);
}

/** The members of a message that most messages do not have. */
function* mapFurtherMembers(members: Members, use: TextUse, place: Place): Steps<Members> {
  return {
    refusal: yield* mapOptional(members.refusal, use, at(place, 'refusal')),
    // Some servers send the reasoning beside the answer.
    reasoning_content: yield* mapAside(members.reasoning_content, at(place, 'reasoning_content')),
    reasoning: yield* mapAside(members.reasoning, at(place, 'reasoning')),
    tool_calls: yield* mapList(members.tool_calls, at(place, 'tool_calls'), mapCallAt),
    function_call:
      (members.function_call ?? null) === null
        ? members.function_call
        : yield* mapCallAt(members.function_call, at(place, 'function_call')),
  };
}

/** An item of OpenAI's responses that is no message. */
function* mapItem(item: Members, place: Place): Steps<unknown> {
  switch (item.type) {
    case 'function_call':
    case 'custom_tool_call':
    case 'mcp_call':
    case 'mcp_approval_request':
      return yield* mapCall(item, place, {
        output: yield* mapOptional(item.output, 'context', at(place, 'output')),
      });
    case 'function_call_output':
    case 'custom_tool_call_output':
      return yield* read(item, 'context', place, {
        output: yield* mapContent(item.output, 'context', at(place, 'output')),
      });
    case 'shell_call':
    case 'local_shell_call':
    case 'computer_call':
    case 'web_search_call':
      return yield* read(item, 'context', place, {
        action: yield* mapArguments(item.action, at(place, 'action')),
      });
    case 'apply_patch_call':
      return yield* read(item, 'context', place, {
        operation: yield* mapArguments(item.operation, at(place, 'operation')),
      });
    case 'code_interpreter_call':
      return yield* read(item, 'context', place, {
        code: yield* mapArguments(item.code, at(place, 'code')),
        outputs: yield* mapValue(item.outputs, 'context', at(place, 'outputs')),
      });
    case 'file_search_call':
      return yield* read(item, 'context', place, {
        queries: yield* mapArguments(item.queries, at(place, 'queries')),
        results: yield* mapValue(item.results, 'context', at(place, 'results')),
      });
    case 'shell_call_output':
    case 'local_shell_call_output':
    case 'apply_patch_call_output':
      return yield* read(item, 'context', place, {
        output: yield* mapValue(item.output, 'context', at(place, 'output')),
      });
    case 'reasoning':
      return yield* read(item, 'call', place, {
        summary: yield* mapList(item.summary, at(place, 'summary'), mapReasoning),
        content: yield* mapList(item.content, at(place, 'content'), mapReasoning),
      });
    default:
      return yield* mapOther(item, 'call', place);
  }
}

/** A text or a list of parts. */
function* mapContent(content: unknown, use: TextUse, place: Place): Steps<unknown> {
  if (typeof content === 'string')
    return yield* mapText(content, use, inContent(place, place.path));
  if (!Array.isArray(content)) return refused(content, 'a text or a list of parts', place);
  return yield* mapList(content, place, (part, at) => mapPart(part, use, at, place.path));
}

/** @param content that the part is of */
function* mapPart(members: unknown, use: TextUse, place: Place, content: TextPath): Steps<unknown> {
  if (!isMembers(members)) return refused(members, 'an object', place);
  const { type } = members;
  switch (type) {
    case 'text':
    case 'input_text':
    case 'output_text': {
      const text = yield* requireText(members.text, use, inContent(at(place, 'text'), content));
      if ((members.logprobs ?? null) === null) {
        return yield* read(members, aside(use), place, { text });
      }
      const odds = repeatsText(members.logprobs, String(members.text))
        ? members.logprobs
        : yield* mapUnread(members, 'logprobs', aside(use), place);
      // Log odds name the tokens of the text that is replaced.
      const logprobs = text === members.text ? odds : [];
      return yield* read(members, aside(use), place, { text, logprobs });
    }
    case 'refusal':
      return yield* read(members, aside(use), place, {
        refusal: yield* requireText(members.refusal, use, inContent(at(place, 'refusal'), content)),
      });
    case 'reasoning':
    case 'reasoning_text':
    case 'summary_text':
    case 'thinking':
      return yield* mapReasoning(members, place, content);
    case 'redacted_thinking':
      return yield* mapEncrypted(members, place);
    case 'tool-call':
    case 'tool_call':
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      return yield* mapCall(members, place);
    case 'tool-result':
    case 'tool_result':
      return yield* mapResult(members, place);
    case 'document':
      return yield* mapDocument(members, place);
    default:
      if (typeof type === 'string') return yield* mapOther(members, aside(use), place);
      refused(type, 'a text', at(place, 'type'));
      return members;
  }
}

/** Anthropic's document is a text, parts, or a file; its title and what is said of it are texts. */
function* mapDocument(members: Members, place: Place): Steps<unknown> {
  const { source } = members;
  const inSource = at(place, 'source');
  const isText = isMembers(source) && source.type === 'text';
  const isParts = isMembers(source) && source.type === 'content';
  if (!isText && !isParts) skipped(members, place);
  return yield* read(members, 'context', place, {
    title: yield* mapOptional(members.title, 'context', at(place, 'title')),
    context: yield* mapOptional(members.context, 'context', at(place, 'context')),
    ...(isFile(source) && {
      source: yield* read(source, 'context', inSource, { data: source.data }),
    }),
    ...(isText && {
      source: yield* read(source, 'context', inSource, {
        data: yield* requireText(source.data, 'context', at(inSource, 'data')),
      }),
    }),
    ...(isParts && {
      source: yield* read(source, 'context', inSource, {
        content: yield* mapContent(source.content, 'context', at(inSource, 'content')),
      }),
    }),
  });
}

function isFile(source: unknown): source is Members {
  if (!isMembers(source) || source.type !== 'base64') return false;
  return BASE_64.test(String(source.data)) && !READABLE.test(String(source.media_type));
}

/** Parts and items that are bytes, or the address of bytes. */
const BYTES =
  /^(?:input_|output_)?(?:image|image_url|audio|file|video|video_url|file_url|media)$|^(?:image_generation_call|container_upload|tokens)$/;

/** The address of bytes elsewhere: its path and query may hold a text. */
const ADDRESS = /^(?:https?|file|gs|s3|blob):\S*$/;
const DATA_URL = /^data:\S*$/;

/**
 * A part or an item of another type, such as the result of a tool. One without texts refers to
 * another item, confirms something, or is encrypted: only bytes make it a part that cannot be scanned.
 */
function* mapOther(members: Members, use: TextUse, place: Place): Steps<unknown> {
  const { visitor, path } = place;
  const type = String(members.type);
  const isSource =
    type.endsWith('_result') || type.endsWith('_output') || type === 'mcp_list_tools';
  // A generated image that the provider keeps has no bytes here.
  const isStored = type === 'image_generation_call' && (members.result ?? null) === null;
  const isBytes = BYTES.test(type) && !isStored;
  let isRead = false;
  let hasBytes = isBytes;
  const mapped = yield* mapUnknown(members, path, {
    pass() {
      hasBytes = true;
    },
    replace(text, textPath, kind) {
      const isData = isBytes && (DATA_URL.test(text) || BASE_64.test(text));
      isRead ||= kind !== 'name' && !isData && !(isBytes && ADDRESS.test(text));
      if (isData) return kept(text);
      const at = withPath(place, textPath);
      return mapFurther(text, isSource ? 'context' : use, { whole: path, place: at, kind });
    },
    refuse: (...fault) => visitor.refuse(...fault),
  });
  if (isBytes || (hasBytes && !isRead)) skipped(members, place);
  return mapped;
}

function* mapReasoning(members: unknown, place: Place, content?: TextPath): Steps<unknown> {
  if (!isMembers(members)) return refused(members, 'an object', place);
  const name = ['thinking', 'reasoning'].find((each) => members[each] !== undefined) ?? 'text';
  // Mistral sends reasoning as a list of parts.
  if (Array.isArray(members[name])) {
    return yield* read(members, 'call', place, {
      [name]: yield* mapAside(members[name], at(place, name)),
    });
  }
  return yield* read(members, 'call', place, {
    [name]: yield* requireText(members[name], 'call', inContent(at(place, name), content)),
  });
}

/** Reasoning that only its provider can read. */
function* mapEncrypted(members: Members, place: Place): Steps<unknown> {
  const { data } = members;
  const isEncrypted = typeof data === 'string' && isSignature(data);
  return yield* read(members, 'call', place, isEncrypted ? { data } : {});
}

function* mapCallAt(call: unknown, place: Place): Steps<unknown> {
  return isMembers(call) ? yield* mapCall(call, place) : refused(call, 'an object', place);
}

/** A tool call in any shape: the arguments are JSON as text or as a value. */
function* mapCall(members: Members, place: Place, further: Members = {}): Steps<Members> {
  const { function: inner, custom } = members;
  return yield* read(members, 'call', place, {
    ...further,
    name: yield* mapName(members, 'name', 'call', place),
    toolName: yield* mapName(members, 'toolName', 'call', place),
    arguments: yield* mapArguments(members.arguments, at(place, 'arguments')),
    args: yield* mapArguments(members.args, at(place, 'args')),
    input: yield* mapArguments(members.input, at(place, 'input')),
    function: isMembers(inner)
      ? yield* mapCall(inner, at(place, 'function'))
      : yield* mapUnread(members, 'function', 'call', place),
    custom: isMembers(custom)
      ? yield* mapCall(custom, at(place, 'custom'))
      : yield* mapUnread(members, 'custom', 'call', place),
  });
}

function mapArguments(value: unknown, place: Place): Steps<unknown> {
  return mapValue(value, 'call', place);
}

/** A tool's result: a text, parts, a JSON value, or what the AI SDK wraps around these. */
function* mapResult(result: Members, place: Place): Steps<unknown> {
  const { output } = result;
  const isWrapped = isMembers(output) && typeof output.type === 'string' && 'value' in output;
  const value = at(at(place, 'output'), 'value');
  return yield* read(result, 'context', place, {
    toolName: yield* mapName(result, 'toolName', 'call', place),
    content: yield* mapOptional(result.content, 'context', at(place, 'content')),
    result: yield* mapValue(result.result, 'context', at(place, 'result')),
    output: isWrapped
      ? yield* read(output, 'context', at(place, 'output'), {
          value:
            output.type === 'content'
              ? yield* mapContent(output.value, 'context', value)
              : yield* mapValue(output.value, 'context', value),
        })
      : yield* mapValue(output, 'context', at(place, 'output')),
  });
}

function* mapOptional(content: unknown, use: TextUse, place: Place): Steps<unknown> {
  return (content ?? null) === null ? content : yield* mapContent(content, use, place);
}

function* mapList(
  list: unknown,
  place: Place,
  map: (each: unknown, place: Place) => Steps<unknown>,
): Steps<unknown> {
  if ((list ?? null) === null) return list;
  if (!Array.isArray(list)) return refused(list, 'a list', place);
  const mapped: unknown[] = [];
  const { visitor, messageIndex, path } = place;
  for (let index = 0; index < list.length; index++) {
    if (isStepDue()) yield;
    const partIndex = place.partIndex ?? (path.key === 'content' ? index : null);
    const at = { visitor, messageIndex, partIndex, path: below(path, index) };
    mapped.push(yield* map(list[index], at));
  }
  return mapped.some((each, index) => each !== list[index]) ? keepNumbers(mapped, list) : list;
}

/** The name of who speaks, or of a tool. An assistant's is no part of its answer. */
function* mapName(members: Members, name: string, use: TextUse, place: Place): Steps<unknown> {
  const value = members[name];
  if (typeof value !== 'string') return yield* mapUnread(members, name, aside(use), place);
  return yield* mapText(value, aside(use), at(place, name));
}

function* mapAside(value: unknown, place: Place): Steps<unknown> {
  if (typeof value === 'string') return yield* mapText(value, 'call', place);
  return yield* mapUnknown(value, place.path, {
    replace: (text, path, kind) =>
      mapFurther(text, 'call', { whole: place.path, place: withPath(place, path), kind }),
    refuse: (...fault) => place.visitor.refuse(...fault),
  });
}

function* requireText(value: unknown, use: TextUse, place: Place): Steps<unknown> {
  if (typeof value !== 'string') return refused(value, 'a text', place);
  return yield* mapText(value, use, place);
}
