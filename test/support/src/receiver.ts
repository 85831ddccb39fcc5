import { writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:https';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { testCertificate } from './certificate.ts';
import { once } from './once.ts';
import type { ReceivedRequest, RequestPredicate } from './request-log.ts';
import { createRequestLog } from './request-log.ts';
import type { TestLifetime } from './temporary-folder.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** The answer to a request; 200 without a body by default. */
export interface ReceiverReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/**
 * Decides the answer to a request. A handler that returns nothing writes to `response` itself: it
 * may answer slowly, badly or never.
 */
export type ReceiverHandler = (
  request: ReceivedRequest,
  response: ServerResponse,
) => ReceiverReply | undefined | Promise<ReceiverReply | undefined>;

/** Options of {@link startHttpsReceiver}. */
export interface ReceiverOptions {
  /** Answers 200 when absent. */
  readonly handler?: ReceiverHandler;
  /** The receiver is closed after this test; without one it runs until the process ends, and does not keep it. */
  readonly test?: TestLifetime;
}

/** A running HTTPS server that records its requests. */
export interface HttpsReceiver {
  /** `https://127.0.0.1:port`, without a trailing slash. */
  readonly url: string;
  readonly port: number;
  /** The certificate authority to trust, PEM. */
  readonly certificate: string;
  /** All requests so far, in the order of their arrival. */
  readonly requests: readonly ReceivedRequest[];
  /** Writes the authority to a file for NODE_EXTRA_CA_CERTS of other processes; returns its path. */
  certificateFile(): string;
  /**
   * The first request, past or to come, that satisfies `predicate`, which also gets all requests
   * so far: `waitFor((_, all) => all.length === 3)`.
   *
   * @throws Error that lists the requests so far after `timeoutMs` (default `PATIENCE_MS`).
   */
  waitFor(predicate: RequestPredicate, timeoutMs?: number): Promise<ReceivedRequest>;
  /** Replaces the handler of further requests. */
  respondWith(handler: ReceiverHandler): void;
  /** Closes the server and all its connections. Idempotent. */
  close(): Promise<void>;
}

/** Starts an HTTPS server on a free port of 127.0.0.1 with a certificate for it and localhost. */
export async function startHttpsReceiver(options: ReceiverOptions = {}): Promise<HttpsReceiver> {
  const { key, certificate, authority } = await testCertificate();
  const log = createRequestLog();
  let handler: ReceiverHandler = options.handler ?? (() => ({}));
  const server = createServer({ key, cert: certificate }, (message, response) => {
    receive(message)
      .then(async (request) => {
        log.add(request);
        reply(response, await handler(request, response));
      })
      .catch(() => response.destroy());
  });
  const port = await listen(server);
  const folder = once(() => temporaryFolder(options.test));
  const close = once(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  if (options.test) options.test.after(close);
  else server.unref();
  return {
    url: `https://127.0.0.1:${port}`,
    port,
    certificate: authority,
    requests: log.requests,
    certificateFile() {
      const file = join(folder().path, 'authority.pem');
      writeFileSync(file, authority);
      return file;
    },
    waitFor: log.waitFor,
    respondWith(next) {
      handler = next;
    },
    close,
  };
}

async function receive(message: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return {
    method: message.method ?? '',
    url: message.url ?? '',
    headers: message.headers,
    rawBody: Buffer.concat(chunks),
    at: new Date(),
  };
}

function reply(response: ServerResponse, answer: ReceiverReply | undefined): void {
  if (answer === undefined) return;
  response.writeHead(answer.status ?? 200, answer.headers);
  response.end(answer.body);
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No TCP port was bound');
  return address.port;
}
