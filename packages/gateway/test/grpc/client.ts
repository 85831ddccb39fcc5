import { fileURLToPath } from 'node:url';
import type { ChannelCredentials, Client, ClientDuplexStream, ServiceError } from '@grpc/grpc-js';
import { credentials, loadPackageDefinition, Metadata } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import type { TestLifetime } from '@probity/test-support';
import type { GatewayWorld } from '../world.ts';

/** A message of the service. */
export type Message = Readonly<Record<string, unknown>>;

/** A client that is made of the published file alone. */
export interface ScanClient {
  readonly address: string;
  metadata(headers?: Readonly<Record<string, string>>): Metadata;
  scan(request: object, metadata?: Metadata, deadlineMs?: number): Promise<Message>;
  pipeline(metadata?: Metadata): Promise<Message>;
  stream(metadata?: Metadata): ClientDuplexStream<object, Message>;
}

const FILE = fileURLToPath(new URL('../../../proto/scan.proto', import.meta.url));

interface Stub extends Client {
  Scan: Unary;
  GetPipeline: Unary;
  ScanStream(metadata: Metadata): ClientDuplexStream<object, Message>;
}

type Unary = (
  request: object,
  metadata: Metadata,
  options: object,
  callback: (error: ServiceError | null, answer?: Message) => void,
) => void;

/** TLS of a client: whom it trusts, and its own certificate. */
export interface ClientTls {
  readonly authority: string;
  readonly identity?: { readonly key: string; readonly certificate: string };
}

/** Credentials of a channel. */
export function channelCredentials(tls?: ClientTls): ChannelCredentials {
  if (tls === undefined) return credentials.createInsecure();
  const { authority, identity } = tls;
  const [key, certificate] = [identity?.key, identity?.certificate].map((pem) =>
    pem === undefined ? null : Buffer.from(pem),
  );
  return credentials.createSsl(Buffer.from(authority), key, certificate);
}

/** Connects to a gateway; the connection is closed after the test. */
export function connect(
  t: TestLifetime,
  { grpcAddress, token }: Pick<GatewayWorld, 'grpcAddress' | 'token'>,
  tls?: ClientTls,
): ScanClient {
  const loaded = loadPackageDefinition(
    loadSync(FILE, { keepCase: true, longs: Number, enums: String, defaults: true, oneofs: true }),
  );
  const { ScanService } = (
    loaded as unknown as {
      governance: { gateway: { v1: Record<string, new (...args: unknown[]) => Stub> } };
    }
  ).governance.gateway.v1;
  if (ScanService === undefined) throw new Error('the file has no service');
  const stub = new ScanService(grpcAddress, channelCredentials(tls));
  t.after(() => stub.close());
  const metadata = (headers: Readonly<Record<string, string>> = {}) => {
    const made = new Metadata();
    const all = { authorization: `Bearer ${token}`, ...headers };
    for (const [name, value] of Object.entries(all)) made.set(name, value);
    return made;
  };
  const call = (
    method: 'Scan' | 'GetPipeline',
    request: object,
    given: Metadata,
    deadlineMs = 30_000,
  ) =>
    new Promise<Message>((resolve, reject) => {
      const options = { deadline: Date.now() + deadlineMs };
      stub[method](request, given, options, (error, answer = {}) =>
        error ? reject(error) : resolve(answer),
      );
    });
  return {
    address: grpcAddress,
    metadata,
    scan: (request, given = metadata(), deadlineMs) => call('Scan', request, given, deadlineMs),
    pipeline: (given = metadata()) => call('GetPipeline', {}, given),
    stream: (given = metadata()) => stub.ScanStream(given),
  };
}

/** All answers of a stream whose writing side is closed. */
export async function answersOf(stream: ClientDuplexStream<object, Message>): Promise<Message[]> {
  const answers: Message[] = [];
  for await (const answer of stream) answers.push(answer as Message);
  return answers;
}
