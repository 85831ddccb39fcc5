import sqlRules from './data/sql-rules.json' with { type: 'json' };
import type { Evidence, ScoredCluster } from './evidence.ts';
import { compileRules, matchRules, scoreClusters } from './evidence.ts';
import { readRules } from './rule-data.ts';
import { closesOwnLiteral, proseAdjustment, readCodeSurroundings } from './surroundings.ts';

const HINT =
  /['"`)\d%+][\s)]{0,9}(?:or|and|xor|union|select|where|having|drop|order|group|limit|like|rlike|waitfor|procedure|in boolean|as \w|;|--|#|\|\||&&|\+|\/\*)|\b(?:sleep|benchmark|pg_sleep|waitfor|xp_cmdshell|load_file|extractvalue|updatexml|union|iif|case|make_set|elt)\b|\(\s?select\b|(?:^|\n)\s{0,4}(?:;|or\s|\|\|)/;
const COMMENT = /\/\*[^*]{0,80}\*\//g;
const PLUS = /(?<=[\w'")])\+(?=[\w'"(])/g;
/** How a complete statement begins. */
export const SQL_STATEMENT =
  /(?:^|[`"(]\s?)where\s+\w|(?:^|[\s`"(:>])(?:select\b.{0,200}\bfrom|insert\s+into|update\s+\S+\s+set|delete\s+from|create\s+(?:or replace\s+)?(?:table|view|index|unique|function|procedure|trigger)|alter\s+table|with\s+(?:recursive\s+)?\w+\s+as|explain|merge\s+into|grant|cursor\.execute|db\.query)\b/;
/** A text that is a statement as a whole, and does not end in a comment. */
export const WHOLE_STATEMENT =
  /^\s{0,4}(?:select|insert|update|delete|drop|create|alter|truncate|begin|set|use|show|with)\b(?!.*(?:--|#)\s*$)/s;
/** `where 1=1`, to which programs add conditions. */
const ALWAYS_TRUE = /^\S{0,12}\s{1,9}where\b/;
const SAME_STRINGS = /(['"])(\w{0,30})\1\s{0,4}(?:=|like)\s{0,4}\1\2/;
const REACH = 120;
/** Rules for what no ordinary statement has. */
const BREAKING = /^comparison of two|^union select of constants/;
const RULES = compileRules(readRules(sqlRules));

/** SQL injection in a text in lower case: attempts to leave a value and change the statement around it. */
export function findSqlInjection(text: string): ScoredCluster[] {
  if (!HINT.test(text)) return [];
  const evidence = matchRules(RULES, blankComments(text));
  return scoreClusters(evidence, REACH, (place) => adjustment(text, place, evidence));
}

// Both replacements keep every offset.
function blankComments(text: string): string {
  const open = text.includes('/*')
    ? text.replace(COMMENT, (comment) => ' '.repeat(comment.length))
    : text;
  return open.includes('+') && !/\s/.test(open.trim()) ? open.replace(PLUS, ' ') : open;
}

function adjustment(
  text: string,
  place: { readonly start: number; readonly end: number },
  evidence: readonly Evidence[],
): number {
  const surroundings = readCodeSurroundings(text, place);
  let sum = proseAdjustment(surroundings);
  const statement = `${surroundings.lineBefore}${text.slice(place.start, place.end)}`;
  const begins = SQL_STATEMENT.exec(statement);
  const broken = evidence.some(
    ({ rule, start }) => BREAKING.test(rule) && !ALWAYS_TRUE.test(text.slice(start, start + 30)),
  );
  // A whole statement is no injection, unless a value in it compares constants.
  const match = text.slice(place.start, place.end);
  const quote = match.search(/['"]/);
  const literal = quote >= 0 && closesOwnLiteral(text, place.start + quote);
  if (literal && !SAME_STRINGS.test(match)) sum -= 2.5;
  const isWhole = begins !== null && begins.index <= surroundings.lineBefore.length;
  if (isWhole || WHOLE_STATEMENT.test(text)) {
    sum -= broken ? (surroundings.functionWords < 2 ? 0.3 : 1) : 3;
  }
  return sum;
}
