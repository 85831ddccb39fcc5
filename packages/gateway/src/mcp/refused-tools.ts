import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Primary, PrimaryPart } from '../cluster/part.ts';

/** What was found of the tools of a list, by their names. */
export interface ReadTools {
  /** Their name, description or schema blocks. */
  readonly refused: readonly string[];
  /** They could not be scanned. */
  readonly unread: readonly string[];
  readonly passed: readonly string[];
}

/** Remembers which tools a client was not shown for what their description says. */
export interface RefusedTools {
  /**
   * Notes the tools of a list, before it is passed on.
   *
   * @param scope names the session
   */
  note(scope: ToolScope, tools: ReadTools): Promise<void>;
  /** Whether a tool may not be called. */
  isRefused(scope: ToolScope, name: string): Promise<boolean>;
}

/** The session of a client with a server. */
export interface ToolScope {
  readonly serverId: string;
  /** Name of the API key. */
  readonly keyId: string;
  /** The id as the client knows it; undefined with a server that has no sessions. */
  readonly sessionId: string | undefined;
}

interface Question {
  readonly scope: string;
  readonly hasSession: boolean;
  readonly tools?: ReadTools;
  readonly name?: string;
}

const PART = 'mcp-refused-tools';
/** Sessions that are remembered, those that were asked about last. */
const MAX_SESSIONS = 10_000;
/** A server with more tools at fault in one session has none that may be called. */
const MAX_TOOLS = 1_000;

type Memory = Map<string, 'refused' | 'unread'>;

/** The part of the primary that remembers, since each call of a session may come to another process. */
export function createRefusedToolsPart(): PrimaryPart {
  const sessions = new LRUCache<string, Memory>({
    maxSize: MAX_SESSIONS,
    sizeCalculation: () => 1,
  });
  const note = (held: Memory, { refused, unread, passed }: ReadTools, hasSession: boolean) => {
    for (const name of passed) {
      // In a session a description that was refused is not made good by another one.
      if (!hasSession || held.get(markOf(name)) === 'unread') held.delete(markOf(name));
    }
    for (const name of unread) if (!held.has(markOf(name))) held.set(markOf(name), 'unread');
    for (const name of refused) held.set(markOf(name), 'refused');
  };
  return {
    name: PART,
    answer(request) {
      const { scope, hasSession, tools, name } = request as Question;
      const known = sessions.get(scope);
      if (tools === undefined) {
        if (known === undefined) return false;
        return known.size > MAX_TOOLS || known.has(markOf(name ?? ''));
      }
      if (known === undefined && tools.refused.length + tools.unread.length === 0) return false;
      const held: Memory = known ?? new Map();
      if (held.size <= MAX_TOOLS) note(held, tools, hasSession);
      sessions.set(scope, held);
      return false;
    },
  };
}

/** The memory, as a serving process uses it. */
export function createRefusedTools(primary: Primary): RefusedTools {
  const about = ({ serverId, keyId, sessionId }: ToolScope): Question => ({
    scope: markOf(JSON.stringify([serverId, keyId, sessionId])),
    hasSession: sessionId !== undefined,
  });
  return {
    note: async (scope, tools) => void (await primary.call(PART, { ...about(scope), tools })),
    isRefused: (scope, name) => primary.call<boolean>(PART, { ...about(scope), name }),
  };
}

/** Names may be of any length. */
function markOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
