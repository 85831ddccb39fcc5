import type { FoundSecret } from './found-secret.ts';
import { isPassword } from './labeled-value.ts';

/** Programs that take a password by an option without a word for it. */
interface CommandRow {
  readonly programs: string;
  /** The option up to its password. */
  readonly option: string;
}

const USER = '(?:\\\\?["\'])?[^\\s:%,"\'`<>|;&]{1,64}';
const ROWS: readonly CommandRow[] = [
  { programs: 'curl|xh', option: `(?:-[a-zA-Z]{0,8}[uU]|--(?:proxy-)?user[= ])\\s{0,4}${USER}:` },
  { programs: 'https?', option: `(?:-a|--auth[= ])\\s{0,4}${USER}:` },
  {
    programs: 'mysql(?:dump|admin|import|sh|show|check|slap)?|mariadb(?:-\\w{2,8})?|7za?|rar',
    option: '-p',
  },
  { programs: 'sshpass', option: '-p\\s{0,4}' },
  { programs: 'redis-cli|valkey-cli', option: '-a\\s{1,4}' },
  { programs: 'mongo(?:sh|dump|restore|export|import)?', option: '-p\\s{1,4}' },
  { programs: '(?:docker|podman|az|helm registry|oc|skopeo) login', option: '-p\\s{1,4}' },
  { programs: 'ldap(?:search|add|modify|delete|whoami|passwd)', option: '-w\\s{1,4}' },
  { programs: 'sqlcmd|bcp|isql|unzip|zip', option: '-P\\s{0,4}' },
  { programs: 'smbclient|rpcclient|mount\\.cifs', option: `-U\\s{0,4}${USER}%` },
  { programs: 'lftp', option: `-u\\s{0,4}${USER},` },
  { programs: 'openssl', option: '-pass(?:in|out)?\\s{1,4}pass:' },
];
/** The name of a program, which may follow a path or a word such as `sudo`. */
const PROGRAM = new RegExp(
  `(?<![\\w.@:-])(?:${ROWS.map(({ programs }, index) => `(?<p${index}>${programs})`).join('|')})(?=\\s)`,
  'g',
);
/** Characters of a command that are read. */
const REACH = 300;
/** The end of a command: of its line, unless the line goes on, or a sign of the shell. */
const END = /(?<!\\)\n|[|;]|&&|`/;
const QUOTE = /\\?["']/y;
const BARE = /[^\s"'`<>|;&\\]{1,128}/y;
const REASON = 'password of a command line';

const OPTIONS = ROWS.map(
  ({ option }) => new RegExp(`(?<=\\s\\\\?["']?|\\\\\\n)${option}(?=["'\\\\]?\\S)`, 'g'),
);

/** Passwords that only their place in a command tells: `curl -u ana:…`, `mysql -p…`, in linear time. */
export function findCommandSecrets(text: string): FoundSecret[] {
  const found: FoundSecret[] = [];
  const read = ROWS.map(() => 0);
  for (const { 0: program, index, groups = {} } of text.matchAll(PROGRAM)) {
    const row = OPTIONS.findIndex((_, at) => groups[`p${at}`] !== undefined);
    if (index < (read[row] ?? 0)) continue;
    const from = index + program.length;
    const [command = ''] = text.slice(from, from + REACH).split(END, 1);
    // Names of programs that are repeated within a command are read once.
    read[row] = from + command.length;
    for (const { 0: option, index: at } of command.matchAll(OPTIONS[row] as RegExp)) {
      const value = valueAt(command, at, at + option.length);
      if (value === undefined || !isPassword(command.slice(...value), 'announced')) continue;
      const [start, end] = value;
      found.push({
        ...{ type: 'password', score: 0.85, reason: REASON },
        ...{ start: from + start, end: from + end },
      });
    }
  }
  return found;
}

/** The password at the end of an option; a quotation mark may begin before the option's user or at the password. */
function valueAt(command: string, option: number, at: number): [number, number] | undefined {
  QUOTE.lastIndex = at;
  const own = QUOTE.exec(command)?.[0];
  const start = at + (own?.length ?? 0);
  const quote = own ?? /\\?["'](?=[^"']*$)/.exec(command.slice(option - 1, at))?.[0];
  if (quote !== undefined) {
    const end = command.indexOf(quote, start);
    return end < 0 ? undefined : [start, end];
  }
  BARE.lastIndex = start;
  return BARE.test(command) ? [start, BARE.lastIndex] : undefined;
}
