import { fileURLToPath } from 'node:url';
import type { Client, ClientDuplexStream } from '@grpc/grpc-js';
import { loadPackageDefinition, Metadata } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import type { TestLifetime } from '@probity/test-support';
import { channelCredentials } from '../grpc/client.ts';
import type { GatewayWorld } from '../world.ts';
import { startGateway } from '../world.ts';

/** What Envoy does with one answer. */
interface Reply {
  readonly kind: string;
  readonly set: Readonly<Record<string, string>>;
  readonly removed: readonly string[];
  /** In place of the part; null for the part as it is. */
  readonly body: string | null;
  /** Of FULL_DUPLEX_STREAMED. */
  readonly isEnd: boolean;
  /** Of an immediate answer. */
  readonly status: number;
  readonly override: Readonly<Record<string, string>> | null;
}

/** The part of Envoy: one HTTP request that is processed. */
export interface Exchange {
  send(message: object): void;
  /** The next answer. */
  next(): Promise<Reply>;
  /** Sends, and takes the answer. */
  ask(message: object): Promise<Reply>;
  end(): void;
  /** All answers that are left. */
  rest(): Promise<Reply[]>;
}

/** Options of an exchange. */
export interface ExchangeOptions {
  readonly metadata?: Readonly<Record<string, string>>;
  readonly modes?: readonly [request: string, response: string];
}

const FILE = fileURLToPath(new URL('../../../proto/ext_proc.proto', import.meta.url));

type Wire = Readonly<Record<string, never>>;

interface Stub extends Client {
  Process(metadata: Metadata): ClientDuplexStream<object, Wire>;
}

const open = new WeakMap<TestLifetime, ClientDuplexStream<object, Wire>[]>();

/** Starts a gateway; exchanges that are open at the end of the test are canceled before it ends. */
export function startEnvoyGateway(t: TestLifetime, text?: string): Promise<GatewayWorld> {
  const streams: ClientDuplexStream<object, Wire>[] = [];
  open.set(t, streams);
  t.after(() => {
    for (const stream of streams) stream.on('error', () => undefined).cancel();
  });
  return startGateway(t, text);
}

/** Headers as Envoy sends them. */
export function headers(values: Readonly<Record<string, string>>): object {
  const list = Object.entries(values).map(([key, value]) => ({
    key,
    raw_value: Buffer.from(value),
  }));
  return { headers: list };
}

/** The head of a call to a model. */
export function post(path: string, others: Readonly<Record<string, string>> = {}): object {
  const values = {
    ':method': 'POST',
    ':path': path,
    'content-type': 'application/json',
    'accept-encoding': 'gzip',
    'x-request-id': 'req-of-envoy',
    ...others,
  };
  return { request_headers: { headers: headers(values), end_of_stream: false } };
}

/** The head of an answer. */
export function answered(contentType: string, status = 200): object {
  const values = { ':status': String(status), 'content-type': contentType };
  return { response_headers: { headers: headers(values), end_of_stream: false } };
}

/** A part of a body. */
export function part(side: 'request' | 'response', body: unknown, end = true): object {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { [`${side}_body`]: { body: Buffer.from(text), end_of_stream: end } };
}

/** Begins an exchange, as Envoy does for each request. */
export function openExchange(
  t: TestLifetime,
  { grpcAddress, token }: Pick<GatewayWorld, 'grpcAddress' | 'token'>,
  { metadata: given = {}, modes }: ExchangeOptions = {},
): Exchange {
  const loaded = loadPackageDefinition(
    loadSync(FILE, { keepCase: true, enums: String, defaults: true, oneofs: true }),
  ) as unknown as {
    envoy: { service: { ext_proc: { v3: Record<string, new (...all: unknown[]) => Stub> } } };
  };
  const { ExternalProcessor } = loaded.envoy.service.ext_proc.v3;
  if (ExternalProcessor === undefined) throw new Error('the file has no service');
  const stub = new ExternalProcessor(grpcAddress, channelCredentials());
  t.after(() => stub.close());
  const metadata = new Metadata();
  const all = { authorization: `Bearer ${token}`, ...given };
  for (const [name, value] of Object.entries(all)) metadata.set(name, value);
  const stream = stub.Process(metadata);
  open.get(t)?.push(stream);
  const replies = stream[Symbol.asyncIterator]() as AsyncIterator<Wire>;
  let isFirst = true;
  const send = (message: object) => {
    const [request_body_mode, response_body_mode] = modes ?? [];
    const config = modes && { protocol_config: { request_body_mode, response_body_mode } };
    stream.write(isFirst ? { ...message, ...config } : message);
    isFirst = false;
  };
  const next = async () => {
    const { value, done } = await replies.next();
    if (done) throw new Error('the exchange has ended');
    return toReply(value);
  };
  return {
    send,
    next,
    ask(message) {
      send(message);
      return next();
    },
    end: () => stream.end(),
    async rest() {
      const left: Reply[] = [];
      for (let got = await replies.next(); !got.done; got = await replies.next()) {
        left.push(toReply(got.value));
      }
      return left;
    },
  };
}

interface WireMutation {
  readonly set_headers: { readonly header: { key: string; raw_value: Buffer } }[];
  readonly remove_headers: string[];
}

function toReply(wire: Wire): Reply {
  const kind = String(wire.response);
  const held = wire[kind] as unknown as {
    response?: { header_mutation?: WireMutation; body_mutation?: Record<string, unknown> };
    headers?: WireMutation;
    status?: { code: number };
    body?: Buffer;
  };
  const mutation = held.response?.header_mutation ?? held.headers;
  const body = held.response?.body_mutation;
  const streamed = body?.streamed_response as { body: Buffer; end_of_stream: boolean } | undefined;
  const bytes = (body?.body as Buffer | undefined) ?? streamed?.body ?? held.body;
  return {
    kind,
    set: Object.fromEntries(
      (mutation?.set_headers ?? []).map(({ header }) => [header.key, header.raw_value.toString()]),
    ),
    removed: mutation?.remove_headers ?? [],
    body: body?.clear_body ? '' : (bytes?.toString() ?? null),
    isEnd: streamed?.end_of_stream ?? false,
    status: held.status?.code ?? 0,
    override: (wire.mode_override as Reply['override'] | undefined) ?? null,
  };
}
