import type { PreparedField, TextRange } from '../types.ts';
import { LINE_OPENERS } from './line-openers.ts';
import { PROSE_LINE, readCodeSurroundings } from './surroundings.ts';

/** Units before and behind a place that are looked at. */
const BEFORE = 2_400;
const BEHIND = 600;
/** Lines above and below a place that are looked at, and how many of code, its own among them, make a listing. */
const NEIGHBORS = 3;
const LISTING = 3;
/** So many words of grammar make no line of code. */
const SENTENCE = 3;

/** A question about code has at least this many words in addition to the code. */
const QUESTION = 3;
const WORD = /\p{L}{2,}/gu;
/** So many words before code lead up to it; fewer are a value. */
const LEADING = 2;
/** What begins a comment behind code on its line. */
const REMARK = /^[^\n]*?(?:--|#|\/\*)/;
/** Statements have words of grammar as well. */
const SQL = /\b(?:select|union|where|elt|concat|delete from|insert into)\b/;
const SQL_GRAMMAR = /\b(?:from|by|in|on|if|is|when|for|with|as|a)\b/g;

const CODE_LINE =
  /[;{}()[\],\\]\s*$|^(?:\t| {2,}\S)|^\s*(?:#|\/\/|\/\*|--|@|>|<\/?\w|\$ |e {3}|={3})|^\s*(?:import|from|const|let|var|def|class|function|return|export|public|private|static|select|insert|update|delete|create|drop|alter|truncate|begin|commit|rollback|with|assert|test|run|copy|env|expose)\b|^\s*["'\w.-]{1,40}["']?\s?(?::|:?=)(?:\s|$)/;
/** A line of a log. */
const LOGGED = /^\W{0,3}(?:\d{4}[-/]\d{2}[-/]\d{2}|\d{2}:\d{2}:\d{2}|\d{1,3}(?:\.\d{1,3}){3} - )/;
/** A literal handed to a function, as tests have them: `escape("…")`. */
const ARGUMENT = /[\w\]]\(\s?["'`][^"'`\n]{0,38}$/;

/**
 * Whether code at a place may be a value of a form, of a field or of an argument, out of which an attack on a database or a
 * shell can break. In documents, results of tools, blocks of code, listings, lines of logs and questions code is ordinary.
 *
 * @param place in UTF-16 units of the field's text
 */
export function standsAsValue({ field, text }: PreparedField, { start, end }: TextRange): boolean {
  if (field === 'context') return false;
  const from = Math.max(0, start - BEFORE);
  const { part, place } = withoutRemark(text.slice(from, end + BEHIND).toLowerCase(), {
    start: start - from,
    end: end - from,
  });
  const { functionWords, inCode, lineBefore } = readCodeSurroundings(part, place);
  const behind = part.slice(place.end).split('\n', 1)[0] as string;
  const beside = `${lineBefore} ${behind}`;
  const ofSql = SQL.test(part.slice(place.start - lineBefore.length, place.end + behind.length))
    ? (beside.match(SQL_GRAMMAR)?.length ?? 0)
    : 0;
  if (inCode || functionWords - ofSql >= PROSE_LINE || isQuestion(beside)) return false;
  const isArgument =
    ARGUMENT.test(lineBefore) && !part.slice(place.start, place.end).includes('\n');
  return !LOGGED.test(lineBefore) && !isArgument && !isListing(part, place);
}

/** Leaves out a comment that an attack ends its line with, unless words before the attack make a sentence of it. */
function withoutRemark(part: string, place: TextRange): { part: string; place: TextRange } {
  const lineBefore = part.slice(part.lastIndexOf('\n', place.start - 1) + 1, place.start);
  const remark = REMARK.exec(part.slice(place.start));
  if (remark === null || (lineBefore.match(WORD)?.length ?? 0) >= LEADING) return { part, place };
  const at = place.start + remark.index + remark[0].length;
  const lineEnd = part.indexOf('\n', at);
  const kept = part.slice(0, at) + (lineEnd < 0 ? '' : part.slice(lineEnd));
  return { part: kept, place: { start: place.start, end: Math.min(place.end, at) } };
}

/** Whether the rest of a line with code asks a question. */
function isQuestion(beside: string): boolean {
  return /[?？]\s*$/.test(beside) && (beside.match(WORD)?.length ?? 0) >= QUESTION;
}

function isListing(text: string, { start, end }: TextRange): boolean {
  const first = text.lastIndexOf('\n', start - 1) + 1;
  const next = text.indexOf('\n', Math.max(start, end - 1));
  const last = next < 0 ? text.length : next;
  const above = linesOf(text.slice(0, first)).slice(-NEIGHBORS);
  const below = linesOf(text.slice(last)).slice(0, NEIGHBORS);
  const lines = [...above, ...linesOf(text.slice(first, last)), ...below];
  return lines.filter(isCode).length >= LISTING;
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

function isCode(line: string): boolean {
  if (!CODE_LINE.test(line) && !LINE_OPENERS.test(line)) return false;
  return (
    readCodeSurroundings(`${line} `, { start: line.length, end: line.length }).functionWords <
    SENTENCE
  );
}

const KEYWORD =
  /\b(?:abstract|async|await|const|def|enum|extends|func|function|implements|interface|private|protected|public|readonly|static|throw|typeof|var|void)\b/g;
/** Words of code that sentences have as well. */
const GRAMMAR = /\b(?:as|class|else|export|final|for|from|if|import|in|let|new|of|return|type)\b/g;
/** Three words with nothing of code between them, or a name of four. */
const PROSE =
  /[\p{L}\p{N}]+(?:[^\p{L}\p{N}_$;{}()[\]=<>,.:|&+*/-]+[\p{L}\p{N}]+){2}|\p{L}{2,}(?:[_-]\p{L}{2,}){3}/u;
const CODE_MARK = /[;{}()=<>]/;
const DECLARATION =
  /^\s*(?:(?:export|public|private|static|async) )*(?:interface|class|const|def|enum|func|function|var|void) [\w$]+/m;

/**
 * Whether the lines of a place are code with a declaration and nothing else, without a comment, a text of three words
 * or a name of four: they ask for nothing.
 */
export function isOnlyCode({ text }: PreparedField, { start, end }: TextRange): boolean {
  if (end - start > BEHIND) return false;
  const first = text.lastIndexOf('\n', start - 1) + 1;
  const next = text.indexOf('\n', end);
  const last = next < 0 ? text.length : next;
  if (!DECLARATION.test(text.slice(Math.max(0, first - BEFORE), last))) return false;
  const lines = linesOf(text.slice(first, last).slice(0, BEFORE));
  return lines.every((line) => {
    const words = line.replace(KEYWORD, ';').replace(GRAMMAR, ' ');
    return CODE_MARK.test(line) && !PROSE.test(words);
  });
}
