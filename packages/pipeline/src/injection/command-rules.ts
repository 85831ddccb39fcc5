import type { PatternRule } from './evidence.ts';

const PROGRAMS =
  'whoami|id|uname|netstat|ifconfig|ipconfig|cat|ls|dir|ping|nc|ncat|netcat|wget|curl|bash|sh|zsh|dash|powershell|pwsh|cmd|type|rm|echo|sleep|nslookup|dig|ps|pwd|env|printenv|hostname|net user|tasklist|systeminfo|chmod|chown|python3?|perl|ruby|php|find|head|tail|(?:more|less)(?=\\s{1,4}\\S{0,40}[/~])|tftp|telnet|ssh|crontab|shutdown|reboot|kill|useradd|passwd|touch|del|copy';
const PATH = '(?:/(?:usr/)?s?bin/)?';

/** Signs of which every operator between commands has one. */
const OPERATORS = [';', '|', '&', '%0a', '%0d'];

function rule(
  name: string,
  weight: number,
  source: string,
  needs: readonly string[],
  flags = 'gm',
): PatternRule {
  return { rule: name, weight, pattern: new RegExp(source, flags), needs };
}

/** Signs of command injection over lower-case text. */
export const COMMAND_RULES: readonly PatternRule[] = [
  rule(
    'shell operator and a program',
    2,
    `(?:;|\\|\\|?|&&?|%0a|%0d)\\s{0,4}${PATH}(?:${PROGRAMS})(?![\\w.:=]|[ \\t]{0,9}\\|)`,
    OPERATORS,
  ),
  rule(
    'shell operator and a program after a short value',
    2.2,
    `^\\s{0,4}["'\`]{0,2}[\\w.:=@/\\\\-]{0,40}["'\`]{0,2}\\)?\\s{0,3}(?:;|\\|\\|?|&&?|%0a|%0d)\\s{0,4}${PATH}(?:${PROGRAMS})(?![\\w.:=]|[ \\t]{0,9}\\|)`,
    OPERATORS,
  ),
  rule(
    'line break and a program after a short value',
    2.2,
    `^\\s{0,4}["'\`]{0,2}[\\w.:=@/\\\\-]{0,40}["'\`]{0,2}\\)?[ \\t]{0,3}\\n\\s{0,4}${PATH}(?:${PROGRAMS})(?![\\w.:=]|[ \\t]{0,9}\\|)`,
    ['\n'],
    // The beginning of the text, not that of any line.
    'g',
  ),
  rule(
    'shell operator and a program after a closed quote',
    2.4,
    `["'\`]\\s{0,3}(?:;|\\|\\|?|&&?|%0a|%0d)\\s{0,4}${PATH}(?:${PROGRAMS})(?![\\w.:=]|[ \\t]{0,9}\\|)`,
    OPERATORS,
  ),
  rule(
    'operator left open at the end',
    0.9,
    `[\\w/\\\\"'}]\\s{0,3}(?:;\\s{0,2}#?|#|&|%0a|\\|)\\s{0,3}$`,
    [...OPERATORS, '#'],
  ),
  rule(
    'operator and a program that explores, nothing else',
    3.2,
    `^\\s{0,4}[\\w./:=?%-]{0,60}[|;&]{1,2}${PATH}(?:id|whoami|uname|ls|dir|netstat|ifconfig|ipconfig|pwd|ps|env)[|;&]{0,2}\\s{0,4}$`,
    OPERATORS,
  ),
  rule(
    'call of a system function after an operator',
    3.2,
    `(?:^|[|;&\`])\\s{0,4}(?:system|exec|passthru|shell_exec|popen|proc_open)\\s?\\(\\s?['"][^'"\\n]{1,80}['"]\\s?\\)[|;&\`]{0,2}\\s{0,4}$`,
    ['system', 'exec', 'passthru', 'open'],
  ),
  rule(
    'substitution of a program that explores',
    2,
    `\\$\\(\\s{0,3}${PATH}(?:whoami|id|uname|cat|ls|curl|wget|nc|ping|sleep|netstat|ifconfig|nslookup|bash|sh|dir|echo|hostname|env|rm|powershell|python3?|type)\\b[^)\\n]{0,120}\\)`,
    ['$('],
  ),
  rule(
    'substitution inside a value',
    2.2,
    `[\\w.'"/;|&-]\\$\\(\\s{0,3}${PATH}(?:${PROGRAMS})\\b|^\\$\\(\\s{0,3}${PATH}(?:${PROGRAMS})\\b`,
    ['$('],
  ),
  rule(
    'backtick substitution inside a value',
    3.4,
    `(?:[\\w.;|&"'/-]|^)\`\\s{0,3}${PATH}(?:${PROGRAMS})(?:\\s[^\`\\n]{0,100})?\`(?=\\W*$)`,
    ['`'],
  ),
  rule(
    'blank replaced by a shell variable',
    3.6,
    "\\$\\{?ifs\\b|\\{(?:cat|ls|wget|curl|ping|nc|echo),[^}\\n]{1,80}\\}|\\w\\$@\\w|\\bc''?a'?'t\\b",
    ['$', '{', "c'"],
  ),
  rule(
    'reverse shell',
    3.8,
    'bash\\s+-i\\s{0,3}>&|/dev/tcp/[\\w.]{1,60}/\\d|\\bnc(?:at)?\\b[^\\n|;]{0,60}\\s-\\w{0,4}e\\w{0,3}\\s{0,3}(?:/bin|cmd|sh|bash)|mkfifo\\s+/tmp/|\\bimport\\s+(?:socket|pty)\\b.{0,200}\\b(?:subprocess|dup2|spawn)\\b|\\bpowershell\\b[^\\n]{0,60}-e(?:nc|ncodedcommand)?\\s+[a-z0-9+/=]{20}',
    ['bash', '/dev/tcp', 'nc', 'mkfifo', 'import', 'powershell'],
  ),
  rule('server-side include', 4.2, '<!--\\s{0,3}#\\s{0,3}(?:exec|include)\\s', ['<!--']),
  rule('function definition trick', 4.2, '\\(\\)\\s{0,3}\\{\\s{0,3}:;\\s{0,3}\\}\\s{0,3};', ['()']),
  rule(
    'system secrets as argument',
    1.4,
    '/etc/(?:passwd|shadow|sudoers|hosts)\\b|\\bboot\\.ini\\b|c:\\\\windows\\\\|\\.ssh/id_|/proc/self/environ|169\\.254\\.169\\.254',
    ['/etc/', 'boot.ini', 'c:\\windows', '.ssh/', '/proc/', '169.254'],
  ),
  rule(
    'deletion from the root',
    1.6,
    '\\brm\\s+-(?:rf|fr|r\\s+-f)\\s+(?:--no-preserve-root\\s+)?(?:/(?:\\s|\\*|;|$)|~|/\\*)',
    ['rm'],
  ),
  rule(
    'download handed to a shell',
    0.7,
    '\\b(?:curl|wget)\\b[^|\\n]{1,200}\\|\\s{0,3}(?:sudo\\s)?(?:ba|z|da)?sh\\b',
    ['curl', 'wget'],
  ),
];

/** Programs that open a line which is a command. */
export const LINE_OPENERS =
  /^\s*(?:[$#>%]\s|\w+@[\w-]+.{0,40}[$#]\s|c:\\.{0,60}>\s?|ps .{0,40}>\s?)?(?:sudo\s+)?(?:\w+=\S*\s+)?(?:eval|cat|ls|cd|rm|mkdir|cp|mv|echo|grep|awk|sed|find|git|npm|npx|yarn|pnpm|node|docker|kubectl|helm|make|pip3?|python3?|apt|apt-get|brew|curl|wget|tar|ssh|scp|rsync|chmod|chown|export|source|if|for|while|ps|kill|systemctl|journalctl|tail|head|sort|du|df|touch|cargo|go|java|mvn|gradle|terraform|aws|gcloud|az|run|cmd|exec|set|bash|sh|psql|mysql|dig|ping|nslookup|openssl|xargs|jq|uname|which|history|time|nohup|env|entrypoint|- run:|run:)\b/;
