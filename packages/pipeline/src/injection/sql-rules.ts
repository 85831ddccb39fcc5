import type { PatternRule } from './evidence.ts';

/** How user input leaves its place in a statement: a quote or bracket closed, or a bare number. */
const BREAK = `(?:['"\`%]\\s{0,4}\\){0,4}|\\)|\\d)`;
const JOIN = '(?:or|and|\\|\\||&&|xor|having|where|rlike|when|div)';

const QUOTES = ["'", '"'];
const COMPARES = ['=', '<', '>'];
const COMMENTS = ['--', '#'];

/** What a text must have for a rule: a string of each list. */
type Needs = readonly (readonly string[])[];

function rule(
  name: string,
  weight: number,
  source: string,
  [needs, needsAlso]: Needs,
  flags = 'g',
): PatternRule {
  return { rule: name, weight, pattern: new RegExp(source, flags), needs, needsAlso };
}

/** Signs of SQL injection over lower-case text in which comments have become blanks. */
export const SQL_RULES: readonly PatternRule[] = [
  rule(
    'union select',
    2.2,
    '\\bunion\\b[\\s(]{1,9}(?:all[\\s(]{1,9}|distinct[\\s(]{1,9})?select\\b',
    [['union']],
  ),
  rule(
    'union select after a closed value',
    2.4,
    `${BREAK}\\s{0,9}union\\b[\\s(]{1,9}(?:all[\\s(]{1,9}|distinct[\\s(]{1,9})?select\\b`,
    [['union']],
  ),
  rule(
    'union select of constants',
    1.6,
    `\\bunion\\b[\\s(]{1,9}(?:all[\\s(]{1,9}|distinct[\\s(]{1,9})?select[\\s(]{1,4}(?:null|-?\\d{1,9}|'[^'\\n]{0,30}'|@@?\\w{1,20}|(?:version|user|database)\\s?\\(\\s?\\))[\\s)]{0,4}(?:,|--|#|$|from\\b)`,
    [['union']],
    'gm',
  ),
  rule(
    'comparison of two constants at the beginning',
    3.4,
    `^\\s{0,4}(?:or|\\|\\|)\\s{1,4}\\(?-?\\d{1,9}\\s{0,3}(?:=|<>|!=|<|>)\\s{0,3}-?\\d{1,9}\\b`,
    [COMPARES],
    'gm',
  ),
  rule(
    'second statement at the beginning',
    3.4,
    `^\\s{0,4};\\s{0,4}(?:drop|delete|insert|update|alter|truncate|exec|declare|select|shutdown)\\s{1,4}[\\w*@]`,
    [[';']],
    'gm',
  ),
  rule(
    'quote closed before a condition on a column',
    1.6,
    `['"]\\s{0,4}\\){0,4}\\s{1,4}(?:or|and)\\s{1,4}\\w{1,30}\\s{1,4}(?:is\\s(?:not\\s)?null|(?:not\\s)?like\\s{1,4}['"])`,
    [['null', 'like'], QUOTES],
  ),
  rule(
    'value before a delay',
    1.6,
    `^\\s{0,4}-?\\w{1,12}['")]{0,4};?\\s{1,4}waitfor\\s`,
    [['waitfor']],
    'gm',
  ),
  rule(
    'comparison of two constants',
    3.4,
    `${BREAK}\\s{0,9}${JOIN}\\s{1,9}[(\\s]{0,6}(?:not\\s)?\\(?-?\\d{1,9}\\s{0,4}(?:=|<>|!=|>|<|like)\\s{0,4}-?\\d{1,9}\\b`,
    [[...COMPARES, 'like']],
  ),
  rule(
    'comparison before a comment',
    0.8,
    `\\d\\s{0,4}(?:=|<>|!=|>|<)\\s{0,4}-?\\d{1,9}\\s{0,4}(?:--|#)`,
    [COMPARES, COMMENTS],
  ),
  rule(
    'comparison of a constant with a call or query',
    3.2,
    `${BREAK}\\s{0,9}${JOIN}\\s{1,9}[(\\s]{0,6}-?\\d{1,9}\\s{0,4}(?:=|<>|!=|>|<|like)\\s{0,4}(?:[\\w.]{2,40}\\s?\\(|\\()`,
    [[...COMPARES, 'like'], ['(']],
  ),
  rule(
    'comparison of two strings',
    3.6,
    `['"\`]\\s{0,4}\\){0,4}\\s{0,4}${JOIN}\\s{0,4}\\(*(?:not\\s)?(['"])[\\w%]{0,30}\\1\\s{0,4}(?:=|<>|!=|>|<|like)\\s{0,4}['"(]{0,4}[\\w%]{0,30}`,
    [[...COMPARES, 'like'], QUOTES],
  ),
  rule(
    'quote closed before a query part',
    2.2,
    `['"]\\s{0,4}\\){0,6}\\s{1,4}(?:or|and|union|where|having|rlike|order by|group by|procedure|limit|waitfor|in boolean mode|as \\w{1,20} where)\\b`,
    [QUOTES],
  ),
  rule(
    'value closed before a condition',
    1.6,
    `^\\s{0,4}-?\\w{1,12}%?['"]{0,2}\\){0,6}\\s{1,4}(?:or|and|where|having|rlike|as \\w{1,20} where|union)\\s{1,4}[(\\d'"]`,
    [],
  ),
  rule(
    'rest of the statement commented out',
    3.4,
    `(?:^[ \\t]{0,4}|[\\w@.%-])['"][ \\t]{0,4}\\){0,6}[ \\t]{0,4};?[ \\t]{0,4}(?:--|#|/\\*)[ \\t-]{0,4}\\w{0,8}[ \\t]{0,4}$`,
    [[...COMMENTS, '/*'], QUOTES],
    'gm',
  ),
  rule(
    'comment at the end',
    1.2,
    `[\\w)'"]\\s{0,4}(?:--|#)\\s{0,4}\\w{0,8}\\s{0,3}$`,
    [COMMENTS],
    'gm',
  ),
  rule(
    'second statement after a closed value',
    3.2,
    `(?:['"]\\s{0,4}\\){0,6}|\\)|\\d)[ \\t]{0,9};[ \\t]{0,9}\\(?(?:select|insert|update|delete|drop|alter|create|exec|execute|declare|shutdown|truncate|begin|if\\s?\\(|waitfor|call|set)\\b`,
    [[';']],
  ),
  rule(
    'destructive statement',
    0.8,
    '\\b(?:drop\\s{1,4}(?:table|database|function)|shutdown|xp_cmdshell|truncate\\s{1,4}table)\\b',
    [['drop', 'shutdown', 'xp_cmdshell', 'truncate']],
  ),
  rule(
    'delay',
    2.4,
    `\\bwaitfor\\s{1,9}delay\\s|\\bbenchmark\\s?\\(\\s?\\d|\\bpg_sleep\\s?\\(|\\bdbms_lock\\.sleep|\\bdbms_pipe\\.receive_message`,
    [['waitfor', 'benchmark', 'pg_sleep', 'dbms_']],
  ),
  rule('sleep', 1.6, `(?<![.\\w])sleep\\s?\\(\\s?\\d{1,3}\\s?\\)`, [['sleep']]),
  rule(
    'function that leaks through errors',
    2.2,
    '\\b(?:extractvalue|updatexml|make_set|elt|utl_inaddr\\.\\w{1,30}|ctxsys\\.\\w{1,30}|dbms_utility\\.\\w{1,30}|gtid_subset|regexp_substring|xmltype|procedure analyse|load_file|json_keys)\\s?\\(',
    [
      [
        'extractvalue',
        'updatexml',
        'make_set',
        'elt',
        'utl_inaddr',
        'ctxsys',
        'dbms_utility',
        'gtid_subset',
        'regexp_substring',
        'xmltype',
        'procedure analyse',
        'load_file',
        'json_keys',
      ],
      ['('],
    ],
  ),
  rule(
    'text built from character codes',
    2.4,
    `\\bcha?r\\(\\d{1,3}\\)\\s?(?:\\|\\||\\+|,)\\s?cha?r\\(|\\bconcat\\(0x[\\da-f]{2}`,
    [['chr(', 'char(', 'concat(0x']],
  ),
  rule(
    'catalog tables',
    1.2,
    '\\binformation_schema\\b|\\bsysusers\\b|\\brdb\\$\\w|\\ball_users\\b|\\bsqlite_master\\b|\\bmysql\\.(?:user|db)\\b|\\bsysibm\\.|\\bdomain\\.domains\\b',
    [
      [
        'information_schema',
        'sysusers',
        'rdb$',
        'all_users',
        'sqlite_master',
        'mysql.',
        'sysibm.',
        'domain.domains',
      ],
    ],
  ),
  rule(
    'query inside a value',
    3.2,
    `['"\\d)]\\s{0,4}(?:\\|\\||\\+|,)\\s{0,4}\\(\\s{0,4}(?:select|case)\\b`,
    [['select', 'case'], ['(']],
  ),
  rule('query in brackets', 1, `\\(\\s{0,4}select\\b`, [['select'], ['(']]),
  rule(
    'constant as a condition',
    3.2,
    `['"]\\s{0,4}\\){0,4}\\s{0,4}(?:or|\\|\\|)\\s{0,4}(?:\\d{1,9}|true)\\s{0,4}(?:--|#|;)`,
    [[...COMMENTS, ';'], QUOTES],
  ),
  rule(
    'branch on two constants',
    3.3,
    `\\b(?:iif|if|elt|make_set)\\s?\\(\\s?\\d{1,9}\\s?=\\s?\\d{1,9}\\b|\\bcase\\s(?:when\\s?)?\\(?\\d{1,9}\\s?=\\s?\\d{1,9}\\b`,
    [['='], ['if', 'elt', 'make_set', 'case']],
  ),
  rule('case on constants', 1.8, `\\bcase\\s(?:when\\s?)?\\(?\\d{1,9}\\s?(?:=|when)`, [['case']]),
  rule(
    'column probing',
    3.4,
    `['"\\)\\d]\\s{0,4}\\){0,6}\\s{1,4}(?:order|group) by \\d{1,3}\\s{0,4}(?:--|#|$)`,
    [['order by ', 'group by ']],
    'gm',
  ),
  rule(
    'file access',
    2.4,
    `\\binto\\s{1,4}(?:out|dump)file\\b|\\bxp_cmdshell\\b|\\bload_file\\s?\\(`,
    [['outfile', 'dumpfile', 'xp_cmdshell', 'load_file']],
  ),
];
