import { z } from 'zod';

/*
 * Settings of programs from their texts. Each parser throws an Error that says what the text should
 * be; whoever knows the setting's name puts it in front.
 */

/** Where the data is. */
export type DatabaseLocation =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string };

/** A port from its decimal digits; 0 asks for a free one. */
export function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new Error(`must be a port from 0 to 65535 (0 picks a free one), not "${text}"`);
}

/** Where the data is: `sqlite:PATH` or `postgres://…`. */
export function parseDatabaseUrl(text: string): DatabaseLocation {
  if (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text))
    return { kind: 'postgres', url: text };
  const path = /^sqlite:(?:\/\/)?(.+)$/s.exec(text)?.[1];
  if (path) return { kind: 'sqlite', path };
  throw new Error('must be sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE');
}

/** The address of a mail server. */
export function parseSmtpUrl(text: string): string {
  if (/^smtps?:\/\//.test(text) && URL.canParse(text) && new URL(text).hostname) return text;
  throw new Error('must be of the form smtp://USER:PASSWORD@HOST:PORT or smtps://…');
}

/** The sender of mails: an address, or a name and an address in angle brackets. */
export function parseMailFrom(text: string): string {
  const address = /^(?:[^<>@\p{Cc}]{1,100}<([^<>]+)>|([^<>]+))$/u.exec(text);
  const isAddress = z.email().safeParse(address?.[1] ?? address?.[2]).success;
  if (isAddress) return text;
  throw new Error(`must be an address or NAME <ADDRESS>, not "${text}"`);
}

/** The address of a Redis. */
export function parseRedisUrl(text: string): string {
  if (/^rediss?:\/\//.test(text) && URL.canParse(text)) return text;
  throw new Error('must be of the form redis://HOST:PORT');
}

/** The base of absolute addresses, without a slash at its end. */
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
