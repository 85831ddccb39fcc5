import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2';
import { connect } from 'node:http2';
import type { TestLifetime } from '@probity/test-support';

/** A call of gRPC whose bytes the test writes itself. */
export interface RawCall {
  readonly stream: ClientHttp2Stream;
  /** The status and message that end the call, such as `16`. */
  readonly ended: Promise<{ readonly status: string | undefined; readonly message: string }>;
}

/** Opens a connection, which is closed after the test. */
export function rawSession(t: TestLifetime, address: string): ClientHttp2Session {
  const session = connect(`http://${address}`);
  session.on('error', () => undefined);
  t.after(() => session.destroy());
  return session;
}

/** Opens a call: its head is sent, and nothing of its message. */
export function rawCall(
  session: ClientHttp2Session,
  method: string,
  headers: Readonly<Record<string, string>> = {},
): RawCall {
  const stream = session.request({
    ':method': 'POST',
    ':path': `/${method}`,
    'content-type': 'application/grpc',
    te: 'trailers',
    ...headers,
  });
  stream.on('error', () => undefined);
  const ended = new Promise<Awaited<RawCall['ended']>>((resolve) => {
    const onEnd = (head: Readonly<Record<string, string>> = {}) =>
      resolve({
        status: head['grpc-status'],
        message: decodeURIComponent(head['grpc-message'] ?? ''),
      });
    stream.once('response', (head) => onEnd(head as never)).once('close', () => onEnd());
  });
  stream.resume();
  return { stream, ended };
}

/** The beginning of a message of `length` bytes, of which `sent` follow. */
export function beginning(length: number, sent: number, isCompressed = false): Buffer {
  const bytes = Buffer.alloc(5 + sent, 'x');
  bytes[0] = isCompressed ? 1 : 0;
  bytes.writeUInt32BE(length, 1);
  return bytes;
}
