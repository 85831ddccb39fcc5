import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { textOf } from './key-kinds.ts';

const HOST =
  /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

/** No top-level domain is a number: such a text is an address with a mistake. */
const NUMBERS = /^[\d.]+$/;

/** A host name or an IP address. */
export const host = textOf(
  'a host name or an IP address',
  (text) => isIP(text) !== 0 || (HOST.test(text) && !NUMBERS.test(text)),
);

/** Whether only this machine reaches a host. */
export function isLoopback(text: string): boolean {
  return text === 'localhost' || text === '::1' || (isIP(text) === 4 && text.startsWith('127.'));
}

/** A domain, or `*.` and a domain. */
export const domain = textOf('a domain such as example.com, or *.example.com', (text) => {
  const name = domainToASCII(text.startsWith('*.') ? text.slice(2) : text);
  return name !== '' && isIP(name) === 0 && HOST.test(name);
});

/** A network or a single address. */
export const network = textOf('a network such as 10.0.0.0/8, or an address', (text) => {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || address.includes('%') || rest.length > 0) return false;
  if (bits === undefined) return true;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
});

/** An address of HTTP. */
export function httpUrl(example: string) {
  return textOf(`an address such as ${example}`, (text) => {
    if (!URL.canParse(text)) return false;
    const { protocol, username, password } = new URL(text);
    return /^https?:$/.test(protocol) && username === '' && password === '';
  });
}

/** The origin of a page. */
export const pageOrigin = textOf(
  'an origin such as https://app.example.com, without a path',
  // Core's own check would load the server, which `--validate-config` does without.
  (text) => URL.canParse(text) && /^https?:/.test(text) && new URL(text).origin === text,
);

/** A text of visible characters and blanks. */
export const printable = textOf('up to 256 printable characters', /^[\x20-\x7e]{0,256}$/);

const OWN_HEADERS =
  /^(?:authorization|api-key|x-api-key|host|connection|content-.*|transfer-encoding|accept-encoding)$/;

/** The name of a header that the gateway does not set itself. */
export const headerName = textOf(
  'the name of a header in small letters, other than those of credentials, body and connection',
  (text) => /^[a-z][a-z0-9-]{0,63}$/.test(text) && !OWN_HEADERS.test(text),
);

/** The value of a header. */
export const headerValue = textOf('1 to 1024 printable characters', /^[\x20-\x7e]{1,1024}$/);

/** The name of a table. */
export const tableName = textOf(
  'a name of letters, digits and _, no digit first, of at most 63 characters',
  /^[A-Za-z_][A-Za-z0-9_]{0,62}$/,
);

/** A non-empty text. */
export const word = textOf('a text of 1 to 512 characters', /^[^\p{Cc}]{1,512}$/u);
