import { isEmailAddress } from './email-address.ts';

/*
 * Parsers of program settings. Each throws an Error that describes the expected text; the caller
 * prefixes the setting's name.
 */

/** Location of the data. */
export type DatabaseLocation =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string };

/** Parses a port in decimal; 0 requests a free one. */
export function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new Error(`must be a port from 0 to 65535 (0 picks a free one), not "${text}"`);
}

/** Parses the location of the data: `sqlite:PATH` or `postgres://…`. */
export function parseDatabaseUrl(text: string): DatabaseLocation {
  const path = /^sqlite:(?:\/\/)?(.+)$/s.exec(text)?.[1];
  if (path) return { kind: 'sqlite', path };
  return { kind: 'postgres', url: parsePostgresUrl(text, 'sqlite:PATH or ') };
}

/** Parses the URL of a PostgreSQL server; `others` names further forms that the setting accepts. */
export function parsePostgresUrl(text: string, others = ''): string {
  const form = `${others}postgres://USER:PASSWORD@HOST:PORT/DATABASE`;
  return requireServerUrl(text, /^postgres(ql)?:\/\//, form);
}

/**
 * Whether the URL of a PostgreSQL has the flag `pgbouncer=true`, which Supabase and Prisma document for
 * a pooler in transaction mode. Such a server refuses or forgets the settings of a connection.
 */
export function isPoolerUrl(url: string): boolean {
  return URL.canParse(url) && new URL(url).searchParams.get('pgbouncer') === 'true';
}

/** Parses the URL of a mail server. */
export function parseSmtpUrl(text: string): string {
  const form = 'smtp://USER:PASSWORD@HOST:PORT or smtps://…';
  const url = requireServerUrl(text, /^smtps?:\/\//, form);
  if (new URL(url).hostname) return url;
  throw new Error(`must be ${form}, with a host`);
}

/** Characters that end the host of a URL, so that a password with one of them is cut there. */
const ENCODED = 'percent-encode "/", "?", "#" and "@" in the user name and the password';

/**
 * Returns the URL of a server, which may contain a password. No message quotes the text: a part of
 * the password may look like the host.
 */
function requireServerUrl(text: string, scheme: RegExp, form: string): string {
  if (!scheme.test(text)) throw new Error(`must be ${form}`);
  const afterScheme = text.slice(text.indexOf('//') + 2);
  const afterHost = afterScheme.slice(afterScheme.search(/[/?#]|$/));
  if (URL.canParse(text) && !afterHost.includes('@')) return text;
  throw new Error(`must be ${form}; ${ENCODED}`);
}

/** Parses the sender of mails: an address, or a name and an address in angle brackets. */
export function parseMailFrom(text: string): string {
  const address = /^(?:[^<>@\p{Cc}]{1,100}<([^<>]+)>|([^<>]+))$/u.exec(text);
  if (isEmailAddress(address?.[1] ?? address?.[2] ?? '')) return text;
  throw new Error(`must be an address or NAME <ADDRESS>, not "${text}"`);
}

/** Parses the URL of a Redis server. */
export function parseRedisUrl(text: string): string {
  return requireServerUrl(text, /^rediss?:\/\//, 'redis://USER:PASSWORD@HOST:PORT or rediss://…');
}

/** Parses the base of absolute URLs, without a trailing slash. */
export function parsePublicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain =
    url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username;
  if (isPlain) return url.href.replace(/\/+$/, '');
  throw new Error(
    'must be an http or https address without user, password, query and fragment, such as ' +
      'https://probity.example.com',
  );
}
