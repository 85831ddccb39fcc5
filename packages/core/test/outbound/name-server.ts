import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { Answer, DecodedPacket } from 'dns-packet';
import { AUTHORITATIVE_ANSWER, decode, encode } from 'dns-packet';

/** What a name server answers to a query; `silent` for nothing at all. */
export type Zone = (
  name: string,
  type: string,
) => 'silent' | 'SERVFAIL' | 'NXDOMAIN' | 'REFUSED' | 'LOOP' | string[];

/** A name that is its own alias is no failure of the server's. */
const RESPONSE_CODES = { SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5, LOOP: 0 };

/** A real name server over UDP on a free port of 127.0.0.1. */
export interface NameServer {
  /** As `dns.Resolver.setServers` takes it. */
  readonly address: string;
  /** The queries so far, as `NAME TYPE`. */
  readonly queries: readonly string[];
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a name server that answers with the addresses which the zone gives. */
export async function startNameServer(zone: Zone): Promise<NameServer> {
  const socket = createSocket('udp4');
  const queries: string[] = [];
  socket.on('message', (message, peer) => {
    const query: DecodedPacket = decode(message);
    const [question] = query.questions ?? [];
    if (!question) return;
    queries.push(`${question.name} ${question.type}`);
    const found = zone(question.name, question.type);
    if (found === 'silent') return;
    const addresses = typeof found === 'string' ? [] : found;
    const code = typeof found === 'string' ? RESPONSE_CODES[found] : 0;
    const answers = addresses.map((data): Answer => {
      return { type: question.type as 'A' | 'AAAA', name: question.name, ttl: 1, data };
    });
    if (found === 'LOOP') {
      answers.push({ type: 'CNAME', name: question.name, ttl: 1, data: question.name });
    }
    const flags = AUTHORITATIVE_ANSWER | code;
    const { id, questions } = query;
    socket.send(encode({ type: 'response', id: id ?? 0, flags, questions, answers }), peer.port);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    queries,
    async [Symbol.asyncDispose]() {
      socket.close();
    },
  };
}
