import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a vendor's server answers: an object, or the events of a stream. */
export type VendorAnswer = object | readonly string[];

/** A server on this machine in place of a vendor's. */
export interface VendorServer {
  readonly url: string;
  /** The bodies it was sent. */
  // biome-ignore lint/suspicious/noExplicitAny: bodies of several interfaces
  readonly bodies: any[];
  close(): Promise<void>;
}

/** Answers each request by what `answer` gives for its path; streams in small pieces of bytes. */
export async function startVendor(answer: (path: string) => VendorAnswer): Promise<VendorServer> {
  const bodies: unknown[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    bodies.push(JSON.parse(body));
    const answered = answer(request.url ?? '');
    if (!Array.isArray(answered)) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answered));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const bytes = Buffer.from(answered.join(''));
    for (let at = 0; at < bytes.length; at += 1_000) response.write(bytes.subarray(at, at + 1_000));
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    bodies,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A text in deltas of four letters. */
export function inTokens(text: string): string[] {
  return text.match(/.{1,4}/gsu) ?? [];
}
