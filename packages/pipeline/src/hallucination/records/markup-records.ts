import { decodeEntity } from '../../text/entities.ts';
import type { RecordSink } from './record-sink.ts';
import { STEP } from './record-sink.ts';

const TAG =
  /<!--[\s\S]*?(?:-->|$)|<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)|<(\/?)([a-zA-Z][\w:.-]*)((?:[\s/][^<>]*)?)>|([^<]+)|</g;
const ATTRIBUTE = /([\w:.-]{1,64})\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
/** Elements whose text goes on in the text around them. */
const INLINE =
  /^(?:a|abbr|b|bdi|cite|code|del|em|font|i|ins|kbd|mark|q|s|samp|small|span|strong|sub|sup|time|tt|u|var|wbr|br)$/;
/** Elements of HTML that are a record each. */
const ROW = /^(?:tr|li|article|dl|option)$/;
/** Elements of HTML whose names say nothing of what is in them. */
const PLAIN =
  /^(?:html|head|body|div|p|section|main|header|footer|nav|table|thead|tbody|tfoot|tr|td|th|ul|ol|li|h[1-6]|article|dl|dt|dd|option|title|label|form)$/;
/** Attributes of HTML that are not for readers. */
const HIDDEN =
  /^(?:class|id|style|href|src|rel|target|type|width|height|lang|role|colspan|rowspan|scope|xmlns.*|on\w+|data-.*|aria-.*)$/;
const ENTITY = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,8});/gi;

/** Reads XML and HTML. Elements of one name beside each other are records, and so are rows and items of lists. */
export function* readMarkupRecords(text: string, sink: RecordSink): Generator<void> {
  const reader = new MarkupReader(sink);
  const isHtml = /<(?:html|body|div|table|ul|ol|p|h[1-6]|span)\b/i.test(text.slice(0, 2000));
  let count = 0;
  for (const [, , slash, name, attributes, content] of text.matchAll(TAG)) {
    if (content !== undefined) reader.text(content);
    else if (name !== undefined) reader.tag(name, slash === '/', attributes ?? '', isHtml);
    if (++count % STEP === 0) yield;
  }
  reader.finish();
}

interface Element {
  readonly name: string;
  readonly isRecord: boolean;
  /** Names of the elements in it so far. */
  readonly children: Set<string>;
}

/** The currency sign is of records alone: no text is hidden by it. */
function characterOf(entity: string): string | undefined {
  return entity === '&euro;' ? '€' : decodeEntity(entity);
}

class MarkupReader {
  readonly #sink: RecordSink;
  readonly #open: Element[] = [];
  /** How many elements of each name are open. */
  readonly #counts = new Map<string, number>();
  /** Names of the columns of the table at hand. */
  #columns: string[] = [];
  #column = 0;
  #text = '';

  constructor(sink: RecordSink) {
    this.#sink = sink;
  }

  text(text: string): void {
    this.#text += text.replace(ENTITY, (whole) => characterOf(whole) ?? whole);
  }

  tag(tag: string, isEnd: boolean, attributes: string, isHtml: boolean): void {
    const name = isHtml ? tag.toLowerCase() : tag;
    if (isHtml && INLINE.test(name)) return;
    this.#flush(isHtml);
    if (isEnd) this.#close(name);
    else this.#begin(name, attributes, isHtml);
    if (attributes.endsWith('/')) this.#close(name);
  }

  finish(): void {
    this.#flush(false);
    while (this.#open.length > 0) this.#pop();
  }

  #begin(name: string, attributes: string, isHtml: boolean): void {
    const parent = this.#open.at(-1);
    // The first of several does not know of the others: each child of the root that has a name in the plural above is one.
    const isRow = isHtml ? ROW.test(name) : this.#open.length === 1 && isPlural(parent?.name ?? '');
    const isRecord = isRow || (!isHtml && (parent?.children.has(name) ?? false));
    parent?.children.add(name);
    if (isRecord) this.#sink.begin();
    if (name === 'tr') this.#column = 0;
    if (name === 'table') this.#columns = [];
    this.#open.push({ name, isRecord, children: new Set() });
    this.#count(name, 1);
    for (const [, key = '', double, single] of attributes.matchAll(ATTRIBUTE)) {
      if (!isHtml || !HIDDEN.test(key)) this.#sink.value(key, double ?? single ?? '');
    }
  }

  #close(name: string): void {
    if (!this.#counts.get(name)) return;
    while (this.#pop() !== name);
  }

  #pop(): string | undefined {
    const element = this.#open.pop();
    if (element !== undefined) this.#count(element.name, -1);
    if (element?.isRecord) this.#sink.end();
    return element?.name;
  }

  #count(name: string, step: number): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + step);
  }

  #flush(isHtml: boolean): void {
    const text = this.#text.replace(/\s+/g, ' ').trim();
    this.#text = '';
    if (text === '') return;
    const name = this.#open.at(-1)?.name ?? '';
    if (name === 'th') {
      this.#columns.push(text);
      this.#sink.name(text);
    } else if (name === 'td') this.#sink.value(this.#columns[this.#column++] ?? '', text);
    else this.#sink.value(isHtml && PLAIN.test(name) ? '' : name, text);
  }
}

function isPlural(name: string): boolean {
  return /(?:s|list|catalog|set|data|results?)$/i.test(name);
}
