import { validateHeaderName, validateHeaderValue } from 'node:http';
import { OutboundFailure } from './failure.ts';

/** Fields that control the connection or frame the message (RFC 9110, section 7.6.1; RFC 9112). */
const dialerHeaders = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * The caller's headers with lower-case names.
 *
 * @throws OutboundFailure `invalid_request` for a name or value that HTTP does not allow, and for
 * one that only the dialer may set.
 */
export function toOutboundHeaders(
  headers: Readonly<Record<string, string>>,
): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]): [string, string] => {
    const lowerName = name.toLowerCase();
    if (dialerHeaders.has(lowerName)) {
      throw new OutboundFailure('invalid_request', `The header ${lowerName} is set by the dialer`);
    }
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch (error) {
      throw new OutboundFailure('invalid_request', 'A header has an invalid name or value', error);
    }
    return [lowerName, value];
  });
  return Object.fromEntries(entries);
}
