import type { BorderText } from './borders.ts';
import { bordersOf, REACH, toInput } from './borders.ts';
import { joinWith } from './joined-text.ts';
import type { MessageText } from './message-place.ts';
import type { Steps } from './steps.ts';
import { isStepDue } from './steps.ts';
import type { TextPath } from './text-path.ts';

/** Last words of the names of members that label the value of another member. */
const LABELS: ReadonlySet<string> = new Set([
  ...['attribute', 'column', 'field', 'header', 'id', 'key', 'kind', 'label', 'name', 'parameter'],
  ...['property', 'question', 'title', 'type'],
]);
/** Last words of the names of members that hold anything. */
const VALUES: ReadonlySet<string> = new Set([
  ...['answer', 'content', 'data', 'input', 'response', 'text', 'val', 'value', 'values'],
]);
/** Longest label, in UTF-16 units. */
const MAX_LABEL = 100;
/** Labels of one object that are read; with more, the readings would be many times as long as the object. */
const MAX_LABELS = 4;
/** Characters within a value. */
const OF_VALUE = /[\p{L}\p{N}@.+-]/u;
/** Every number, key, address and password that is found has one of these. */
const HAS_FORM = /[\d@!#$%^*]|-\p{L}+-/u;

/**
 * Further readings of the JSON values among texts: the strings of a tool call's arguments without the names between
 * them, since a value may be split over members, and each value after the member that labels it:
 * `{"name": "ssn", "value": "536228145"}`. The meaning of sentences is not judged in them.
 */
export function* toJsonReadings(texts: readonly MessageText[]): Steps<BorderText[]> {
  const readings: BorderText[] = [];
  for (const value of yield* toValues(texts)) {
    for (const reading of yield* splitReadings(value)) readings.push(reading);
    for (const reading of yield* labelReadings(value)) readings.push(reading);
  }
  return readings;
}

/** The texts of each JSON value that has several. */
function* toValues(texts: readonly MessageText[]): Steps<MessageText[][]> {
  const values: MessageText[][] = [];
  let whole: TextPath | undefined;
  for (const text of texts) {
    if (isStepDue()) yield;
    if (text.json === undefined) continue;
    if (text.json.whole === whole) values.at(-1)?.push(text);
    else values.push([text]);
    whole = text.json.whole;
  }
  return values.filter(({ length }) => length > 1);
}

function* splitReadings(value: readonly MessageText[]): Steps<BorderText[]> {
  if (value[0]?.use !== 'call') return [];
  const strings = value.filter(isSplitPart);
  const isSplit = strings.some((text, index) => mayGoOn(text.text, strings[index + 1]?.text));
  if (!isSplit) return [];
  const borders = [...(yield* bordersOf(strings, '\n')), ...(yield* bordersOf(strings, ''))];
  return borders.map(withoutJudges);
}

/** Numbers and identifiers in digits are not joined: one in ten joined rows of digits has a valid check digit. */
function isSplitPart(text: MessageText): boolean {
  if (text.json?.kind !== 'string' || text.text === '') return false;
  return !/^\d{5,}$/.test(text.text) || lastWord(String(memberOf(text).key)) !== 'id';
}

function mayGoOn(text: string, next: string | undefined): boolean {
  if (next === undefined || !OF_VALUE.test(text.at(-1) ?? '')) return false;
  return OF_VALUE.test(next.charAt(0)) && HAS_FORM.test(text.slice(-REACH) + next.slice(0, REACH));
}

function* labelReadings(value: readonly MessageText[]): Steps<BorderText[]> {
  const pairs = [...(yield* byObject(value)).values()].flatMap(({ labels, values }) =>
    labels.flatMap((label) => values.map((each) => [label, each] as const)),
  );
  const [pair] = pairs;
  if (pair === undefined) return [];
  const joined = yield* joinWith(pairs.flat(), (_, index) => (index % 2 === 0 ? ': ' : '\n\n'));
  const values = new Set(pairs.map(([, each]) => each));
  const crosses: BorderText['crosses'] = (range) =>
    joined.placesOf(range).some(({ of }) => values.has(of));
  const input = toInput(pair[0].use, joined.text);
  return [withoutJudges({ input, joined, start: 0, crosses, isNewReading: () => false })];
}

/** The members of an object that may be label and value. */
interface LabeledObject {
  readonly labels: MessageText[];
  readonly values: MessageText[];
}

function* byObject(value: readonly MessageText[]): Steps<Map<TextPath | undefined, LabeledObject>> {
  const objects = new Map<TextPath | undefined, LabeledObject>();
  for (const text of value) {
    if (isStepDue()) yield;
    if (text.json?.kind === 'name') continue;
    const path = memberOf(text);
    const word = lastWord(String(path.key));
    const isLabel = path === text.path && LABELS.has(word) && isLabelText(text);
    const isValue = VALUES.has(word) && text.text.length <= REACH && HAS_FORM.test(text.text);
    if (!isLabel && !isValue) continue;
    const object = objects.get(path.parent) ?? { labels: [], values: [] };
    objects.set(path.parent, object);
    if (isValue) object.values.push(text);
    else if (object.labels.length < MAX_LABELS) object.labels.push(text);
  }
  return objects;
}

/** The path of the member that holds a text, as its value or in the list that is its value. */
function memberOf({ path, json }: MessageText): TextPath {
  let at = path;
  while (typeof at.key === 'number' && at !== json?.whole && at.parent !== undefined)
    at = at.parent;
  return at;
}

function isLabelText({ text, json }: MessageText): boolean {
  return json?.kind === 'string' && text.length <= MAX_LABEL && /\p{L}/u.test(text);
}

/** `field_name`, `fieldName`, `Name` */
function lastWord(name: string): string {
  return /[A-Z]?[a-z]+$|[A-Z]+$/.exec(name)?.[0].toLowerCase() ?? '';
}

function withoutJudges(border: BorderText): BorderText {
  return { ...border, isNewReading: () => false };
}
