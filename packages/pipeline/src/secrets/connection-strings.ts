import type { FoundSecret } from './found-secret.ts';
import { isNoPassword } from './placeholders.ts';

const SCHEME =
  '(?:postgres(?:ql)?|cockroachdb|mysqlx?|mariadb|mongodb(?:\\+srv)?|rediss?|amqps?|mssql|sqlserver|oracle|clickhouse|neo4j(?:\\+s)?|bolt|cassandra|couchbases?|db2|snowflake|nats|kafka|mqtts?|ldaps?|smtps?|imaps?|ftps?|sftp|ssh|https?|wss?|elasticsearch|influxdb|etcd|vertica|trino|redshift|libsql|jdbc:[a-z0-9]{2,20})';
/** A URL with user and password (RFC 3986, section 3.2.1), up to the end of what it names. */
const WITH_PASSWORD = new RegExp(
  `(?<![A-Za-z0-9+.-])(${SCHEME}):\\/\\/([^\\s:/@"'\`<>\\\\]{0,80}):([^\\s/@"'\`<>\\\\]{1,128})@([A-Za-z0-9\\[][^\\s"'\`<>\\\\]{0,255})`,
  'gi',
);
/** Parameters of a JDBC URL: `jdbc:postgresql://host/db?user=a&password=b`. */
const JDBC =
  /(?<![A-Za-z0-9])jdbc:[a-z0-9]{2,20}:[^\s"'`<>]{1,200}?[?;&](?:password|pwd)=([^\s&;"'`<>]{1,128})/gi;
/** Oracle's thin driver: `jdbc:oracle:thin:user/password@host`. */
const JDBC_ORACLE =
  /(?<![A-Za-z0-9])jdbc:oracle:[a-z]{2,6}:[^\s/@"']{1,64}\/([^\s@"']{1,128})@[^\s"']{1,128}/gi;
/** Pairs of a connection string in the form of ADO.NET, with a server among them. */
const PAIRS =
  /(?<![A-Za-z0-9])(?:(?:server|data source|host|hostname|addr|address|endpoint|network address|initial catalog|database|user id|uid|username|user|port|accountname|defaultendpointsprotocol|driver|provider|sharedaccesskeyname|persist security info|integrated security|trusted_connection)\s?=\s?[^;"'\n]{1,120};\s?){1,8}(?:password|pwd|accountkey|sharedaccesskey)\s?=\s?([^;"'\s<>]{1,128})/gi;
const TEMPLATE = /[${}<>*%()]/;
const NAMES_PASSWORD = /[pP](?:ass|wd|WD)|PASS|[kK]ey|KEY/;
/** Hosts of documentation (RFC 2606) do not make a value harmless, but a short value there is none. */
const DOCUMENTATION_HOST =
  /^(?:[a-z0-9-]+\.)?(?:example\.(?:com|net|org)|example|host|hostname|localhost|server)(?![a-z0-9.])/i;
const MIN_AT_DOCUMENTATION = 8;

/** Connection strings with a password: URLs, JDBC, and the pairs of ADO.NET and Azure. */
export function findConnectionStrings(text: string): FoundSecret[] {
  const found: FoundSecret[] = [];
  if (text.includes('://') && text.includes('@')) findUrls(text, found);
  if (text.includes('jdbc:')) {
    findAll(text, JDBC, 'JDBC URL with a password', found);
    findAll(text, JDBC_ORACLE, 'JDBC URL with a password', found);
  }
  if (text.includes(';') && text.includes('=') && NAMES_PASSWORD.test(text)) {
    findAll(text, PAIRS, 'connection string with a password', found);
  }
  return found;
}

function findUrls(text: string, found: FoundSecret[]): void {
  for (const match of text.matchAll(WITH_PASSWORD)) {
    const [value, scheme = '', user = '', password = '', host = ''] = match;
    if (isNoPassword(password) || TEMPLATE.test(user)) continue;
    if (DOCUMENTATION_HOST.test(host) && password.length < MIN_AT_DOCUMENTATION) continue;
    const start = match.index;
    const end = start + value.replace(/[).,;\]}]+$/, '').length;
    const isWeb = /^(?:https?|wss?)$/i.test(scheme);
    const reason = isWeb ? 'URL with user and password' : 'connection string with a password';
    const score = isWeb ? 0.8 : 0.9;
    found.push({ type: 'connection_string', start, end, score, reason });
  }
}

function findAll(text: string, pattern: RegExp, reason: string, found: FoundSecret[]): void {
  for (const match of text.matchAll(pattern)) {
    const [value, password = ''] = match;
    if (isNoPassword(password)) continue;
    const start = match.index;
    found.push({ type: 'connection_string', start, end: start + value.length, score: 0.9, reason });
  }
}
