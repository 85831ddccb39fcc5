// Texts as they are really scanned, by kind: what is installed beside this repository and on the machine, and
// the conversations and the prose that are written here. Nothing that is read is kept.
import { fileURLToPath } from 'node:url';
import { gather } from './harmless-documents.mjs';
import { makeTexts } from './material.mjs';

const inRepository = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const ROOTS = [
  inRepository('node_modules'),
  '/usr/share/common-licenses',
  '/usr/share/perl',
  '/usr/share/vim',
  ...['de', 'es', 'fr', 'it', 'ja', 'nl', 'pl', 'pt', 'ru', 'uk', 'zh_CN'].map(
    (language) => `/usr/share/man/${language}`,
  ),
];
/** Kinds by the path of a file; the first that fits counts. */
const KINDS = [
  ['licence', /(?:^|\/)(?:licen[sc]es?|copying)[^/]*$|\/common-licenses\//i],
  ['other languages', /\/man\/[a-z]{2}(?:_[A-Z]{2})?\/|\/tutor\.[a-z]{2}\.utf-8$/],
  ['markdown', /\.(?:md|markdown)$/],
  ['json', /\.json$/],
  ['csv', /\.[ct]sv$/],
  ['declarations', /\.d\.[cm]?ts$/],
  ['code', /\.(?:[cm]?js|[cm]?ts|tsx|jsx|py|c|h|pl|pm)$/],
  ['prose', /\.(?:txt|pod)$/],
];
/** Conversations that are written for tests. */
const CONVERSATIONS = inRepository('packages/pipeline/test/fixtures/conversations.jsonl');

/**
 * Texts of `length` characters by kind, `count` of each: pieces of documents that begin at a line, taken in
 * turn from all documents of the kind and continued by the next where one is too short.
 *
 * @returns {(length: number, count: number) => Map<string, string[]>}
 */
export function createRealTexts() {
  const documents = new Map([['prose', []]]);
  for (const { kind, text } of gather({
    root: ROOTS,
    kinds: KINDS,
    conversations: CONVERSATIONS,
  })) {
    if (!documents.has(kind)) documents.set(kind, []);
    documents.get(kind).push(text);
  }
  documents.delete('declarations');
  if (!documents.has('csv'))
    documents.set(
      'csv',
      Array.from({ length: 8 }, (_, at) => makeCsv(at)),
    );
  documents.get('prose').push(...makeTexts(2, 2048));
  return (length, count) =>
    new Map([...documents].map(([kind, own]) => [kind, cut(own, length, count)]));
}

function cut(documents, length, count) {
  return Array.from({ length: count }, (_, turn) => {
    const first = turn % documents.length;
    const begun = documents[first];
    // Pieces of one document begin at different places, spread by the golden ratio.
    const share = (Math.floor(turn / documents.length) * 0.618 + 0.1) % 1;
    const line = begun.indexOf('\n', Math.floor(share * Math.max(0, begun.length - length)));
    let text = begun.slice(line + 1);
    for (let next = first + 1; text.length < length; next++) {
      text += `\n${documents[next % documents.length]}`;
    }
    return text.slice(0, length);
  });
}

const TOWNS = ['Leipzig', 'Gdansk', 'Porto', 'Turku', 'Lyon', 'Bergen', 'Graz', 'Cork', 'Brno'];
const GOODS = ['coffee grinder', 'steel burr', 'glass jar', 'lid, grey', 'brush', 'filter no. 4'];

/** A table of orders with a head, for machines without such files. */
function makeCsv(seed) {
  const rows = ['order,date,town,article,count,unit price,total,paid'];
  for (let row = 0; row < 400; row++) {
    const number = (seed * 7919 + row * 104_729) % 1_000_003;
    const count = (number % 9) + 1;
    const cents = 199 + (number % 20_000);
    const day = String((number % 28) + 1).padStart(2, '0');
    const article = GOODS[number % GOODS.length];
    const cells = [
      `A-${100_000 + number}`,
      `2026-${String((number % 12) + 1).padStart(2, '0')}-${day}`,
      TOWNS[number % TOWNS.length],
      article.includes(',') ? `"${article}"` : article,
      count,
      (cents / 100).toFixed(2),
      ((cents * count) / 100).toFixed(2),
      number % 3 === 0 ? 'no' : 'yes',
    ];
    rows.push(cells.join(','));
  }
  return `${rows.join('\n')}\n`;
}
