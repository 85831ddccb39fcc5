import { isMembers } from '../messages/message-place.ts';
import { runAtOnce } from '../messages/steps.ts';
import { below } from '../messages/text-path.ts';
import { kept, mapMember } from '../messages/unknown-parts.ts';
import type { TextGate } from './answer-guard.ts';
import type { Members } from './endpoint.ts';

/** A text of a delta, by the names of members that lead to it. */
interface DeltaText {
  readonly keys: readonly string[];
  readonly text: string;
}

/** Members of a delta that no interface has. */
export interface DeltaTexts {
  /** The delta with empty texts in place of those that are taken out. */
  readonly rest: Members;
  readonly texts: readonly DeltaText[];
}

/** The only object of a delta whose texts come in pieces: a spoken answer with its transcript. */
const SPOKEN = 'audio';
/** Bytes in base 64, of which each delta has a whole number. */
const BYTES = 'data';
const ROOT = below(undefined, 'delta');

/**
 * Takes the texts of unknown members out of a delta: clients put those of all deltas together, so that they have to be
 * scanned as one text each. Identifiers and bytes stay, and so do lists and objects, such as citations: an event has
 * each of them whole.
 *
 * @param known members that are read otherwise
 */
export function takeTexts(delta: Members, known: ReadonlySet<string>): DeltaTexts {
  const texts: DeltaText[] = [];
  const walk = (members: Members, before: readonly string[]): Members => {
    let rest: Record<string, unknown> | undefined;
    for (const [name, value] of Object.entries(members)) {
      if (before.length === 0 && known.has(name)) continue;
      const keys = [...before, name];
      let left: unknown = value;
      if (isText(name, value)) {
        texts.push({ keys, text: value as string });
        left = '';
      } else if (isMembers(value) && name === SPOKEN && before.length === 0)
        left = walk(value, keys);
      if (left === value) continue;
      rest ??= { ...members };
      rest[name] = left;
    }
    return rest ?? members;
  };
  return { rest: walk(delta, []), texts };
}

/** The members with another text in one place. */
function withText(
  members: Members,
  [name = '', ...keys]: readonly string[],
  text: string,
): Members {
  const inner = members[name];
  const next = keys.length === 0 ? text : withText(isMembers(inner) ? inner : {}, keys, text);
  return { ...members, [name]: next };
}

/** The gates of such texts, by the names that lead to them. */
export interface DeltaGates {
  /** The delta with what may be passed on now of the texts. */
  pass(rest: Members, texts: readonly DeltaText[]): Promise<Members>;
  /** What is left of all texts, in the places where they stood. */
  end(): Promise<Members>;
}

/** @param open makes a gate */
export function createDeltaGates(open: () => TextGate, limit: (count: number) => void): DeltaGates {
  const gates = new Map<string, { readonly keys: readonly string[]; readonly gate: TextGate }>();
  return {
    async pass(rest, texts) {
      let passed = rest;
      for (const { keys, text } of texts) {
        const key = JSON.stringify(keys);
        const held = gates.get(key) ?? { keys, gate: open() };
        gates.set(key, held);
        limit(gates.size);
        passed = withText(passed, keys, await held.gate.feed(text));
      }
      return passed;
    },
    async end() {
      let rest: Members = {};
      for (const { keys, gate } of gates.values()) {
        const text = await gate.end();
        if (text !== '') rest = withText(rest, keys, text);
      }
      return rest;
    },
  };
}

function isText(name: string, value: unknown): boolean {
  if (typeof value !== 'string' || name === BYTES) return false;
  let isRead = false;
  const steps = mapMember({ [name]: value }, name, ROOT, {
    replace(text, _path, kind) {
      isRead ||= kind !== 'name';
      return kept(text);
    },
    refuse: () => {},
  });
  runAtOnce(steps);
  return isRead;
}
