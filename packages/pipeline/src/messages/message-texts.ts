import type { JsonKind } from './json-source.ts';
import { namesOf } from './json-source.ts';
import type { JsonVisitor } from './json-texts.ts';
import { mapJson, mapJsonText, renamedCopy } from './json-texts.ts';
import type { Members, Place, TextUse } from './message-place.ts';
import { changed, withPath } from './message-place.ts';
import type { Steps } from './steps.ts';
import { isStepDue } from './steps.ts';
import type { TextPath } from './text-path.ts';
import { below } from './text-path.ts';
import { mapMember } from './unknown-parts.ts';

/** A JSON value, as text or as a value. */
export function mapValue(value: unknown, use: TextUse, place: Place): Steps<unknown> {
  const { visitor, messageIndex, partIndex, path: whole } = place;
  const json: JsonVisitor = {
    replace(text, path, kind) {
      const content = path === whole ? place.content : undefined;
      const json = { whole, kind };
      const isName = kind === 'name';
      return visitor.replace({ use, text, messageIndex, partIndex, path, isName, content, json });
    },
    literal: (value) => visitor.literal?.(value),
    weigh: (values) => visitor.weigh?.(values),
    refuse: (path, expected, refusedValue) => visitor.refuse(path, expected, refusedValue),
  };
  return typeof value === 'string'
    ? mapJsonText(value, place.path, json)
    : mapJson(value, place.path, json);
}

/** What a tool answers is JSON as a rule, whatever the shape of the message. */
export function* mapText(text: string, use: TextUse, place: Place): Steps<unknown> {
  if (use === 'context') return yield* mapValue(text, use, place);
  const { visitor, messageIndex, partIndex, path, content } = place;
  return visitor.replace({ use, text, messageIndex, partIndex, path, isName: false, content });
}

/** A text that is not where the interfaces have one: of a member of `whole`. */
export function* mapFurther(
  text: string,
  use: TextUse,
  {
    whole,
    place,
    kind,
  }: { readonly whole: TextPath; readonly place: Place; readonly kind: JsonKind },
): Steps<unknown> {
  if (kind === 'string' && use === 'context') return yield* mapValue(text, use, place);
  const { visitor, messageIndex, partIndex, path } = place;
  const isName = kind === 'name';
  const json = { whole, kind };
  return visitor.replace({ use, text, messageIndex, partIndex, path, isName, json });
}

/** What stands beside an answer is no part of it. */
export function aside(use: TextUse): TextUse {
  return use === 'response' ? 'call' : use;
}

/**
 * A copy with the members that were read, where one of them differs, and with the texts of all other members replaced:
 * nothing of a message passes because its interface has a member that is not known here.
 *
 * @param use what the texts of other members are read as
 */
export function* read(members: Members, use: TextUse, place: Place, next: Members): Steps<Members> {
  const others: Record<string, unknown> = {};
  const names = new Map<string, string>();
  for (const name of Object.keys(members)) {
    if (Object.hasOwn(next, name)) continue;
    if (isStepDue()) yield;
    const [shown, mapped] = yield* mapNamed(members, name, use, place);
    if (mapped !== members[name]) others[name] = mapped;
    if (shown !== name) names.set(name, shown);
  }
  const copy = changed(members, { ...next, ...others });
  return names.size === 0 ? copy : renamed(copy, names);
}

/** A member that no interface has in this form: everything in it is read. */
export function* mapUnread(
  members: Members,
  name: string,
  use: TextUse,
  place: Place,
): Steps<unknown> {
  const [, mapped] = yield* mapNamed(members, name, use, place);
  return mapped;
}

function mapNamed(members: Members, name: string, use: TextUse, place: Place) {
  const { visitor, path: whole } = place;
  return mapMember(members, name, below(whole, name), {
    replace: (text, path, kind) =>
      mapFurther(text, use, { whole, place: withPath(place, path), kind }),
    refuse: (...fault) => visitor.refuse(...fault),
  });
}

function renamed(members: Members, names: ReadonlyMap<string, string>): Members {
  const free = namesOf(Object.keys(members));
  const entries = Object.entries(members).map(
    ([name, value]) => [free.nameFor(name, names.get(name) ?? name), value] as const,
  );
  return renamedCopy(entries, members) as Members;
}
