import { isMembers } from '../messages/message-place.ts';
import type { Members } from './endpoint.ts';
import type { EventText, TextName, TextsOfEvent } from './text-borders.ts';

/** The member of a `done` event that has the whole text, by the kind of text. */
export const TEXTS: Readonly<Record<string, string>> = {
  'response.output_text': 'text',
  'response.refusal': 'refusal',
  'response.reasoning_text': 'text',
  'response.reasoning_summary_text': 'text',
};
const SUMMARY = 'response.reasoning_summary_text';
/** The kind of text that a part has, by its type. */
const KIND_OF_PART: Readonly<Record<string, string>> = {
  output_text: 'response.output_text',
  refusal: 'response.refusal',
  reasoning_text: 'response.reasoning_text',
  summary_text: SUMMARY,
};

/** Whether a text of a kind answers, rather than leads to the answer. */
export function isAnswer(kind: string): boolean {
  return kind === 'response.output_text' || kind === 'response.refusal';
}

/** Which text of a response an event is about. */
export function keyOf(kind: string, event: Members): string {
  const { output_index: at, content_index: part, summary_index: summary } = event;
  if (!Object.hasOwn(TEXTS, kind)) return `${kind} ${at} ${part} ${summary}`;
  return `${kind} ${at} ${kind === SUMMARY ? summary : part}`;
}

/** A text of a part or an item, and where its deltas say that it stands. */
export interface PlacedText {
  readonly kind: string;
  readonly place: Members;
  readonly text: string;
}

/** The texts of the part or the item of an event that begins or ends one, in their order. */
export function placedTextsOf(event: Members): PlacedText[] {
  const texts: PlacedText[] = [];
  mapTexts(event, (text) => {
    texts.push(text);
    return text.text;
  });
  return texts;
}

/** The event with other texts in the same places. */
export function withTexts(event: Members, texts: readonly string[]): Members {
  let index = 0;
  return mapTexts(event, ({ text }) => texts[index++] ?? text);
}

/** The event without the texts. */
export function withoutTexts(event: Members): Members {
  return mapTexts(event, () => '');
}

/** Whether an event ends a response. */
export function isLastEvent({ type }: Members): boolean {
  return /^response\.(?:completed|incomplete|failed)$/.test(String(type));
}

/** The texts that an event has as a delta, or ends. */
export function textsOfResponseEvent(event: Members, isKnown: (key: string) => boolean) {
  const { type } = event;
  if (isLastEvent(event)) return LAST;
  const [, kind = '', step] = /^(.*)\.(delta|done|added)$/.exec(String(type)) ?? [];
  if (Object.hasOwn(TEXTS, kind)) {
    const name = nameOf(kind, event);
    return step === 'delta'
      ? { texts: [{ ...name, text: String(event.delta) }] }
      : { ended: [name] };
  }
  if (step !== 'done' && step !== 'added') return NOTHING;
  const texts: EventText[] = [];
  const ended: TextName[] = [];
  for (const { kind: own, place, text } of placedTextsOf(event)) {
    const name = nameOf(own, place);
    // The end of a part repeats its text.
    if (step === 'added' || !isKnown(name.key)) texts.push({ ...name, text });
    if (step === 'done') ended.push(name);
  }
  return { texts, ended };
}

const NOTHING: TextsOfEvent = {};
const LAST: TextsOfEvent = { isLast: true };

/** What a model says, and refuses, is read in one go. */
function nameOf(kind: string, event: Members): TextName {
  return { run: isAnswer(kind) ? 'answer' : kind, key: keyOf(kind, event) };
}

function mapTexts(event: Members, map: (text: PlacedText) => string): Members {
  const { part, item, item_id, output_index } = event;
  const mapPart = (given: unknown, place: Members): unknown => {
    if (!isMembers(given)) return given;
    const type = String(given.type);
    const kind = Object.hasOwn(KIND_OF_PART, type) ? (KIND_OF_PART[type] as string) : '';
    const name = TEXTS[kind] ?? '';
    const text = given[name];
    return typeof text === 'string' ? { ...given, [name]: map({ kind, place, text }) } : given;
  };
  const mapList = (list: unknown, name: string, id: unknown): unknown =>
    Array.isArray(list)
      ? list.map((each, index) => mapPart(each, { item_id: id, output_index, [name]: index }))
      : list;
  const next: Record<string, unknown> = { ...event };
  if (isMembers(part)) {
    const { content_index, summary_index } = event;
    next.part = mapPart(part, { item_id, output_index, content_index, summary_index });
  }
  if (isMembers(item) && (item.type === 'message' || item.type === 'reasoning')) {
    next.item = {
      ...item,
      ...('summary' in item && { summary: mapList(item.summary, 'summary_index', item.id) }),
      ...('content' in item && { content: mapList(item.content, 'content_index', item.id) }),
    };
  }
  return next;
}
