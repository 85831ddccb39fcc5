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
  if (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text))
    return { kind: 'postgres', url: text };
  const path = /^sqlite:(?:\/\/)?(.+)$/s.exec(text)?.[1];
  if (path) return { kind: 'sqlite', path };
  throw new Error('must be sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE');
}

/** Parses the URL of a mail server. */
export function parseSmtpUrl(text: string): string {
  if (/^smtps?:\/\//.test(text) && URL.canParse(text) && new URL(text).hostname) return text;
  throw new Error('must be of the form smtp://USER:PASSWORD@HOST:PORT or smtps://…');
}

/** Parses the sender of mails: an address, or a name and an address in angle brackets. */
export function parseMailFrom(text: string): string {
  const address = /^(?:[^<>@\p{Cc}]{1,100}<([^<>]+)>|([^<>]+))$/u.exec(text);
  if (isEmailAddress(address?.[1] ?? address?.[2] ?? '')) return text;
  throw new Error(`must be an address or NAME <ADDRESS>, not "${text}"`);
}

/** Parses the URL of a Redis server. */
export function parseRedisUrl(text: string): string {
  if (/^rediss?:\/\//.test(text) && URL.canParse(text)) return text;
  throw new Error('must be of the form redis://HOST:PORT');
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
