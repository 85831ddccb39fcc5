import type { Members, MessageVisitor, Place, TextUse } from './message-place.ts';
import { at, changed, inContent, isMembers, refused, skipped, withPath } from './message-place.ts';
import { aside, mapFurther, mapText, mapValue, read } from './message-texts.ts';
import type { TextPath } from './text-path.ts';
import { below } from './text-path.ts';
import { BASE_64, mapUnknown, READABLE } from './unknown-parts.ts';

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
 * @returns the messages, those that did not change themselves
 */
export function mapMessages(messages: unknown, visitor: MessageVisitor): unknown[] {
  const root = below(undefined, 'messages');
  if (!Array.isArray(messages) || messages.length === 0) {
    visitor.refuse(root, 'a list of at least one message', messages);
    return [];
  }
  // A copy, in which what a list leaves out is undefined and refused: `map` passes it over.
  return [...messages].map((message: unknown, messageIndex) =>
    mapMessage(message, {
      visitor,
      messageIndex,
      partIndex: null,
      path: below(root, messageIndex),
    }),
  );
}

function mapMessage(members: unknown, place: Place): unknown {
  if (!isMembers(members)) return refused(members, 'an object', place);
  if (members.role === undefined && typeof members.type === 'string')
    return mapItem(members, place);
  const { role } = members;
  const use = typeof role === 'string' && Object.hasOwn(USE_OF, role) ? USE_OF[role] : undefined;
  if (use === undefined) {
    const expected = `one of ${Object.keys(USE_OF).join(', ')}`;
    refused(role, expected, at(place, 'role'));
    return members;
  }
  const isOptional = use === 'response' && (members.content ?? null) === null;
  return read(members, aside(use), place, {
    role,
    name: mapName(members.name, use, at(place, 'name')),
    content: isOptional ? members.content : mapContent(members.content, use, at(place, 'content')),
    refusal: mapOptional(members.refusal, use, at(place, 'refusal')),
    // Some servers send the reasoning beside the answer.
    reasoning_content: mapAside(members.reasoning_content, at(place, 'reasoning_content')),
    reasoning: mapAside(members.reasoning, at(place, 'reasoning')),
    tool_calls: mapList(members.tool_calls, at(place, 'tool_calls'), mapCallAt),
    function_call:
      (members.function_call ?? null) === null
        ? members.function_call
        : mapCallAt(members.function_call, at(place, 'function_call')),
  });
}

/** An item of OpenAI's responses that is no message. */
function mapItem(item: Members, place: Place): unknown {
  switch (item.type) {
    case 'function_call':
    case 'custom_tool_call':
    case 'mcp_call':
    case 'mcp_approval_request':
      return mapCall(item, place, {
        output: mapOptional(item.output, 'context', at(place, 'output')),
      });
    case 'function_call_output':
    case 'custom_tool_call_output':
      return read(item, 'context', place, {
        output: mapContent(item.output, 'context', at(place, 'output')),
      });
    case 'shell_call':
    case 'local_shell_call':
    case 'computer_call':
    case 'web_search_call':
      return read(item, 'context', place, {
        action: mapArguments(item.action, at(place, 'action')),
      });
    case 'apply_patch_call':
      return read(item, 'context', place, {
        operation: mapArguments(item.operation, at(place, 'operation')),
      });
    case 'code_interpreter_call':
      return read(item, 'context', place, {
        code: mapArguments(item.code, at(place, 'code')),
        outputs: mapValue(item.outputs, 'context', at(place, 'outputs')),
      });
    case 'file_search_call':
      return read(item, 'context', place, {
        queries: mapArguments(item.queries, at(place, 'queries')),
        results: mapValue(item.results, 'context', at(place, 'results')),
      });
    case 'shell_call_output':
    case 'local_shell_call_output':
    case 'apply_patch_call_output':
      return read(item, 'context', place, {
        output: mapValue(item.output, 'context', at(place, 'output')),
      });
    case 'reasoning':
      return read(item, 'call', place, {
        summary: mapList(item.summary, at(place, 'summary'), mapReasoning),
        content: mapList(item.content, at(place, 'content'), mapReasoning),
      });
    default:
      return mapOther(item, 'call', place);
  }
}

/** A text or a list of parts. */
function mapContent(content: unknown, use: TextUse, place: Place): unknown {
  if (typeof content === 'string') return mapText(content, use, inContent(place, place.path));
  if (!Array.isArray(content)) return refused(content, 'a text or a list of parts', place);
  return mapList(content, place, (part, at) => mapPart(part, use, at, place.path));
}

/** @param content that the part is of */
function mapPart(members: unknown, use: TextUse, place: Place, content: TextPath): unknown {
  if (!isMembers(members)) return refused(members, 'an object', place);
  const { type } = members;
  switch (type) {
    case 'text':
    case 'input_text':
    case 'output_text': {
      const text = requireText(members.text, use, inContent(at(place, 'text'), content));
      // Log odds name the tokens of the text that is replaced.
      const hasOdds = 'logprobs' in members && text !== members.text;
      return read(members, aside(use), place, { text, ...(hasOdds ? { logprobs: [] } : {}) });
    }
    case 'refusal':
      return read(members, aside(use), place, {
        refusal: requireText(members.refusal, use, inContent(at(place, 'refusal'), content)),
      });
    case 'reasoning':
    case 'reasoning_text':
    case 'summary_text':
    case 'thinking':
      return mapReasoning(members, place, content);
    case 'tool-call':
    case 'tool_call':
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      return mapCall(members, place);
    case 'tool-result':
    case 'tool_result':
      return mapResult(members, place);
    case 'document':
      return mapDocument(members, place);
    default:
      if (typeof type === 'string') return mapOther(members, aside(use), place);
      refused(type, 'a text', at(place, 'type'));
      return members;
  }
}

/** Anthropic's document is a text, parts, or a file; its title and what is said of it are texts. */
function mapDocument(members: Members, place: Place): unknown {
  const { source } = members;
  const inSource = at(place, 'source');
  const isText = isMembers(source) && source.type === 'text';
  const isParts = isMembers(source) && source.type === 'content';
  if (!isText && !isParts) skipped(members, place);
  return read(members, 'context', place, {
    title: mapOptional(members.title, 'context', at(place, 'title')),
    context: mapOptional(members.context, 'context', at(place, 'context')),
    ...(isFile(source) && { source }),
    ...(isText && {
      source: changed(source, { data: requireText(source.data, 'context', at(inSource, 'data')) }),
    }),
    ...(isParts && {
      source: changed(source, {
        content: mapContent(source.content, 'context', at(inSource, 'content')),
      }),
    }),
  });
}

function isFile(source: unknown): boolean {
  if (!isMembers(source) || source.type !== 'base64') return false;
  return BASE_64.test(String(source.data)) && !READABLE.test(String(source.media_type));
}

/** Parts and items that are bytes, or the address of bytes. */
const BYTES =
  /^(?:input_|output_)?(?:image|image_url|audio|file|video|video_url|file_url|media)$|^(?:image_generation_call|redacted_thinking|container_upload)$/;

/** Where bytes are to be had. */
const ADDRESS = /^(?:https?|data|file|gs|s3|blob):\S*$/;

/** A part or an item of another type: what a tool gave, or whatever else a model may read. */
function mapOther(members: Members, use: TextUse, place: Place): unknown {
  const { visitor, path } = place;
  const type = String(members.type);
  const isSource =
    type.endsWith('_result') || type.endsWith('_output') || type === 'mcp_list_tools';
  const isBytes = BYTES.test(type);
  let isRead = false;
  const mapped = mapUnknown(members, path, {
    replace(text, textPath, isName) {
      if (isBytes && (ADDRESS.test(text) || BASE_64.test(text))) return text;
      isRead = true;
      return mapFurther(text, isSource ? 'context' : use, withPath(place, textPath), isName);
    },
    refuse: (...fault) => visitor.refuse(...fault),
  });
  if (isBytes || !isRead) skipped(members, place);
  return mapped;
}

function mapReasoning(members: unknown, place: Place, content?: TextPath): unknown {
  if (!isMembers(members)) return refused(members, 'an object', place);
  const name = ['thinking', 'reasoning'].find((each) => members[each] !== undefined) ?? 'text';
  return read(members, 'call', place, {
    [name]: requireText(members[name], 'call', inContent(at(place, name), content)),
  });
}

function mapCallAt(call: unknown, place: Place): unknown {
  return isMembers(call) ? mapCall(call, place) : refused(call, 'an object', place);
}

/** A tool call in any shape: the arguments are JSON as text or as a value. */
function mapCall(members: Members, place: Place, further: Members = {}): Members {
  const { function: inner, custom } = members;
  return read(members, 'call', place, {
    ...further,
    name: mapName(members.name, 'call', at(place, 'name')),
    toolName: mapName(members.toolName, 'call', at(place, 'toolName')),
    arguments: mapArguments(members.arguments, at(place, 'arguments')),
    args: mapArguments(members.args, at(place, 'args')),
    input: mapArguments(members.input, at(place, 'input')),
    function: isMembers(inner) ? mapCall(inner, at(place, 'function')) : inner,
    custom: isMembers(custom) ? mapCall(custom, at(place, 'custom')) : custom,
  });
}

function mapArguments(value: unknown, place: Place): unknown {
  return mapValue(value, 'call', place);
}

/** A tool's result: a text, parts, a JSON value, or what the AI SDK wraps around these. */
function mapResult(result: Members, place: Place): unknown {
  const { output } = result;
  const isWrapped = isMembers(output) && typeof output.type === 'string' && 'value' in output;
  const value = at(at(place, 'output'), 'value');
  return read(result, 'context', place, {
    toolName: mapName(result.toolName, 'call', at(place, 'toolName')),
    content: mapOptional(result.content, 'context', at(place, 'content')),
    result: mapValue(result.result, 'context', at(place, 'result')),
    output: isWrapped
      ? read(output, 'context', at(place, 'output'), {
          value:
            output.type === 'content'
              ? mapContent(output.value, 'context', value)
              : mapValue(output.value, 'context', value),
        })
      : mapValue(output, 'context', at(place, 'output')),
  });
}

function mapOptional(content: unknown, use: TextUse, place: Place): unknown {
  return (content ?? null) === null ? content : mapContent(content, use, place);
}

function mapList(
  list: unknown,
  place: Place,
  map: (each: unknown, place: Place) => unknown,
): unknown {
  if ((list ?? null) === null) return list;
  if (!Array.isArray(list)) return refused(list, 'a list', place);
  const mapped = [...list].map((each: unknown, index) => {
    const { visitor, messageIndex, path } = place;
    const partIndex = place.partIndex ?? (path.key === 'content' ? index : null);
    return map(each, { visitor, messageIndex, partIndex, path: below(path, index) });
  });
  return mapped.some((each, index) => each !== list[index]) ? mapped : list;
}

/** The name of who speaks, or of a tool. An assistant's is no part of its answer. */
function mapName(value: unknown, use: TextUse, place: Place): unknown {
  if (typeof value !== 'string') return value;
  return mapText(value, use === 'response' ? 'call' : use, place);
}

function mapAside(value: unknown, place: Place): unknown {
  if (typeof value === 'string') return mapText(value, 'call', place);
  return mapUnknown(value, place.path, {
    replace: (text, path, isName) => mapFurther(text, 'call', withPath(place, path), isName),
    refuse: (...fault) => place.visitor.refuse(...fault),
  });
}

function requireText(value: unknown, use: TextUse, place: Place): unknown {
  if (typeof value !== 'string') return refused(value, 'a text', place);
  return mapText(value, use, place);
}
