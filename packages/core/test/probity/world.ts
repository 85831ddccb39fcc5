import { once } from 'node:events';
import type { ClientHttp2Session, Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { z } from 'zod';
import { endpoint } from '../../src/http/endpoint.ts';
import { generalErrors } from '../../src/http/error-format.ts';
import type { CapabilityDefinition, Probity, ProbityOptions } from '../../src/index.ts';
import { createProbity, silentLogger } from '../../src/index.ts';
import { requireSecretBox } from '../../src/runtime/runtime.ts';

/** The services of {@link notes}. */
export interface Notes {
  /** Seals a text, as capabilities seal secrets. */
  seal(text: string): string;
}

/** A capability with an endpoint that answers who called, and one that answers the body. */
export function notes(): CapabilityDefinition<'notes', Notes> {
  const shared = { tag: 'Notes', rateLimit: 'general' } as const;
  const caller = z.strictObject({ organizationId: z.string(), memberId: z.string() });
  const note = z.strictObject({ text: z.string() });
  return {
    name: 'notes',
    needsSecretBox: true,
    migrations: async () => [
      {
        name: 'notes/0001_notes',
        statements: ['create table probity_notes (id text primary key, text text not null)'],
      },
    ],
    async create(runtime) {
      const box = requireSecretBox(runtime, 'notes');
      return {
        name: 'notes',
        services: { seal: (text) => box.seal(text, 'note') },
        groups: [
          {
            prefix: '',
            errorFormat: generalErrors,
            endpoints: [
              endpoint({
                ...shared,
                method: 'GET',
                path: '/caller',
                operationId: 'getCaller',
                summary: 'Get the caller',
                permission: 'alerts:read',
                responses: { 200: { description: 'The caller', schema: caller } },
                async handler({ context, reply }) {
                  const { organizationId, memberId } = context.principal;
                  return reply(200, { organizationId, memberId });
                },
              }),
              endpoint({
                ...shared,
                method: 'POST',
                path: '/notes',
                operationId: 'createNote',
                summary: 'Create a note',
                permission: 'scans:create',
                body: note,
                responses: { 201: { description: 'The note', schema: note } },
                async handler({ body, reply }) {
                  return reply(201, body);
                },
              }),
            ],
          },
        ],
      };
    },
  };
}

/** The member of the organization `acme` that every request is taken to come from. */
export const ANN = { organizationId: 'acme', memberId: 'ann', role: 'admin' } as const;

type Options = ProbityOptions<readonly [CapabilityDefinition<'notes', Notes>]>;

/** Probity with {@link notes} in memory, unless given otherwise. */
export function createNotes(
  options: Partial<Options> = {},
): Probity<readonly [CapabilityDefinition<'notes', Notes>]> {
  return createProbity({
    database: 'memory',
    authenticate: () => ANN,
    logger: silentLogger,
    ...options,
    capabilities: [notes()],
  });
}

/** Serves over HTTP/2 without TLS; returns a connected client. Both are closed after the test. */
export async function connectHttp2(
  t: TestContext,
  listener: (request: Http2ServerRequest, response: Http2ServerResponse) => void,
): Promise<ClientHttp2Session> {
  const server = http2.createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = http2.connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  t.after(() => {
    client.destroy();
    server.close();
  });
  return client;
}
