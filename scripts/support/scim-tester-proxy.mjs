import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';

/**
 * What testers presuppose and RFC 7644 does not have: user names that are no e-mail addresses (the specification of
 * this service wants them to be), and a base of addresses that is the proxy's. Testers are run as they are published.
 */
const DOMAIN = '@tester.example';

/** Longest part of a user name before the @ (RFC 5321, section 4.5.3.1.1). */
const MAX_LOCAL_PART = 64;

/** @param {unknown} value */
function isBareName(value) {
  return typeof value === 'string' && value !== '' && !value.includes('@');
}

/** @param {string} name */
function toAddress(name) {
  return name.slice(0, MAX_LOCAL_PART) + DOMAIN;
}

/**
 * Gives user names of a body a domain, wherever they are.
 * @param {any} value
 * @returns {any}
 */
function withDomain(value) {
  if (Array.isArray(value)) return value.map(withDomain);
  if (value === null || typeof value !== 'object') return value;
  const isOnUserName = /(^|:)username$/i.test(String(value.path ?? value.Path ?? ''));
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const isName = /(^|:)username$/i.test(key) || (isOnUserName && key.toLowerCase() === 'value');
      return [key, isName && isBareName(member) ? toAddress(member) : withDomain(member)];
    }),
  );
}

/** @param {string} url */
function withDomainInFilter(url) {
  const [path = '', query = ''] = url.split('?');
  const parameters = new URLSearchParams(query);
  const filter = parameters.get('filter');
  if (filter === null) return url;
  const named = filter.replace(
    /(userName\s+(?:eq|ne)\s+)"([^"@]+)"/gi,
    (_, comparison, name) => `${comparison}"${toAddress(name)}"`,
  );
  parameters.set('filter', named);
  return `${path}?${parameters}`;
}

/** @param {Buffer} body */
function toBody(body) {
  try {
    return Buffer.from(JSON.stringify(withDomain(JSON.parse(body.toString()))));
  } catch {
    return body; // What is no JSON is a test of the server.
  }
}

/**
 * Resources of Microsoft's reference implementation that its collection asks for.
 * @param {string} path
 * @param {string} token
 */
function answerOfReference(path, token) {
  return path.endsWith('/Token') ? JSON.stringify({ token }) : null;
}

/** @param {string} config */
function withoutPagination(config) {
  const { pagination: _, ...members } = JSON.parse(config);
  return JSON.stringify(members);
}

/**
 * Starts a proxy between a tester and the SCIM interface.
 * @param {string} target Base of the interface.
 * @param {{ token: string, log: boolean, hidesPaging: boolean }} options
 */
export async function startTesterProxy(target, { token, log, hidesPaging }) {
  const { pathname, origin } = new URL(target);
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/' } = request;
    const known = answerOfReference(url, token);
    if (known !== null) {
      response.setHeader('content-type', 'application/json').end(known);
      return;
    }
    const sent = await buffer(request);
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers)) {
      const isOfConnection = ['host', 'connection', 'content-length'].includes(name);
      if (value !== undefined && !isOfConnection) headers.set(name, String(value));
    }
    const path = withDomainInFilter(url.replace('/serviceConfiguration', '/ServiceProviderConfig'));
    const answer = await fetch(origin + path, {
      method,
      headers,
      ...(sent.length > 0 ? { body: toBody(sent) } : {}),
    });
    const received = await answer.text();
    const isConfig = path.endsWith('/ServiceProviderConfig');
    const text = hidesPaging && isConfig ? withoutPagination(received) : received;
    if (log && answer.status >= 400) {
      process.stderr.write(`${method} ${path} ${sent}\n  ${answer.status} ${text}\n`);
    }
    const own = `http://${request.headers.host}`;
    response.statusCode = answer.status;
    for (const [name, value] of answer.headers) {
      const isOfConnection = ['content-length', 'connection', 'transfer-encoding'].includes(name);
      if (!isOfConnection) response.setHeader(name, value.replaceAll(origin, own));
    }
    response.end(text.replaceAll(origin, own).replaceAll(DOMAIN, ''));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${address.port}${pathname}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
