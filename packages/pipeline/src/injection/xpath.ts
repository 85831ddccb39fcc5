import type { PatternRule, ScoredCluster } from './evidence.ts';
import { compileRules, matchRules, scoreClusters } from './evidence.ts';
import { SQL_STATEMENT } from './sql.ts';
import { proseAdjustment, readCodeSurroundings } from './surroundings.ts';

const FUNCTION =
  '(?:count|string-length|name|local-name|namespace-uri|substring(?:-before|-after)?|starts-with|contains|position|last|text|node|boolean|string|number|translate|normalize-space|concat|true|doc)';
const HINT = /['"]|\]|%27|%22/;

const QUOTES = ["'", '"'];

function rule(
  name: string,
  weight: number,
  source: string,
  needs: readonly string[],
  needsAlso?: readonly string[],
): PatternRule {
  return { rule: name, weight, pattern: new RegExp(source, 'g'), needs, needsAlso };
}

const XPATH_RULES: readonly PatternRule[] = [
  rule(
    'quote closed before a path function',
    4.2,
    `['"]\\s{0,4}\\]?\\)?\\s{0,4}(?:or|and)\\s{1,4}(?:not\\s?\\(\\s?)?${FUNCTION}\\s?\\(`,
    QUOTES,
    ['('],
  ),
  rule(
    'quote and predicate closed before another path',
    4,
    `['"]?\\s{0,4}\\)?\\]\\s{0,4}\\|\\s{0,4}(?:/{1,2}|\\.|\\w{1,20}\\[)`,
    [']'],
    ['|'],
  ),
  rule(
    'quote and predicate closed before an axis',
    4,
    `['"]\\s{0,4}\\)?\\]\\s{0,4}/{1,2}\\s{0,4}(?:parent|ancestor|child|descendant|following|preceding|self|attribute)[\\w-]{0,20}::`,
    ['::'],
    [']'],
  ),
  rule(
    'quote closed before a path',
    3.8,
    `['"]\\s{0,4}\\]?\\s{0,4}(?:or|and)\\s{1,4}(?:not\\s?\\()?\\(?\\s?\\.{0,2}/{1,2}[\\w*@]`,
    QUOTES,
    ['/'],
  ),
  rule(
    'predicate that is always true',
    3.8,
    `\\[[^\\]\\n]{0,80}(['"])\\s{0,4}or\\s{1,4}\\1([\\w]{0,20})\\1\\s{0,3}=\\s{0,3}\\1\\2\\1?`,
    ['['],
    ['='],
  ),
  rule(
    'comparison of two strings',
    3.3,
    `['"]\\s{0,4}or\\s{1,4}(['"])(\\w{0,30})\\1\\s{0,4}=\\s{0,4}\\1\\w{0,30}`,
    QUOTES,
    ['='],
  ),
  rule(
    'comparison of two numbers between quotes',
    3.3,
    `['"]\\s{0,4}\\)?\\s{0,4}or\\s{1,4}\\d{1,4}\\s?=\\s?\\d{1,4}\\s{1,4}or\\s{1,4}['"]`,
    QUOTES,
    ['='],
  ),
  rule('all nodes joined', 1.5, `\\|\\s{0,4}/{1,2}\\*|\\bor\\s{1,4}//\\*`, ['/*']),
  rule(
    'comment or null closes the path',
    1.5,
    `['"]\\s{0,4}\\]\\s{0,4}(?:%00|\\(:)`,
    ['%00', '(:'],
    QUOTES,
  ),
  rule(
    'path function of another document',
    1.5,
    `\\bdoc\\s?\\(\\s?['"]?(?:https?|file):`,
    ['doc'],
    [':'],
  ),
];
const STATEMENT = /(?:^|[\s`(:>=])(?:xmllint|document\.evaluate|xpath|selectnodes|\/\/\w+\[)/;
const REACH = 80;
const RULES = compileRules(XPATH_RULES);

/** XPath injection in a text in lower case: input that closes its literal and adds conditions or paths. */
export function findXpathInjection(text: string): ScoredCluster[] {
  if (!HINT.test(text)) return [];
  const evidence = matchRules(RULES, text);
  return scoreClusters(evidence, REACH, (place) => {
    const surroundings = readCodeSurroundings(text, place);
    const { lineBefore } = surroundings;
    const statement = STATEMENT.test(lineBefore) || SQL_STATEMENT.test(lineBefore) ? -2 : 0;
    return proseAdjustment(surroundings) + statement;
  });
}
