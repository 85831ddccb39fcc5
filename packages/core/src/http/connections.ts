import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from '../logging/logger.ts';
import type { CidrList } from '../outbound/networks.ts';
import { addressNetworks } from './address-subject.ts';
import { clientAddress } from './client-address.ts';
import type { ConnectionLimits } from './connection-limits.ts';
import type { Place } from './places.ts';
import { Places } from './places.ts';

/** Unanswered requests of one connection; with more it is closed after their answers. */
export const MAX_PIPELINED = 16;

/** What a closing connection reads and discards, so that its client can read the last answer. */
const LINGER_BYTES = 64 * 1_048_576;
const LINGER_MS = 2_000;

/**
 * Node's parser calls the handler for every request of the bytes that it is given, up to 64 KiB.
 * It is given about this many at a time, so that it can be stopped.
 */
const PARSED_AT_ONCE = 512;

const END_OF_HEAD = '\r\n\r\n';

/** Pause between two log lines on refused connections. */
const WARNING_PAUSE_MS = 60_000;

/** Whether a request is handed to the application; an `ignored` one gets no answer at all. */
type Admission = 'admitted' | 'ignored' | 'too-many';

/** The connections of a server. */
export interface Connections {
  readonly sockets: Iterable<Socket>;
  /** Whether nothing of a request has arrived. */
  isSilent(socket: Socket): boolean;
  /** Counts a request until its answer has been taken or its connection has closed. */
  admit(request: IncomingMessage, response: ServerResponse): Admission;
  /** The newest response of a connection. */
  lastResponse(socket: Socket): ServerResponse | undefined;
  /** Parses nothing more of what the connection sends. */
  stopParsing(socket: Socket): void;
  /** Announces in every answer to come, also to requests in progress, that its connection closes. */
  announceEnd(): void;
}

/** Dependencies of the connections. */
export interface ConnectionsOptions {
  readonly limits: ConnectionLimits;
  readonly trustedProxies: CidrList;
  /** Time in which a client must take some of an answer that is being sent. */
  readonly unreadAnswerMs: number;
  readonly logger: Logger;
}

/**
 * Watches the connections of a server: limits how many there are, and how many requests wait for
 * their answer to be taken, by connection, client address and in all ({@link Places}); closes those
 * whose client takes nothing of an answer.
 */
export function watchConnections(server: Server, options: ConnectionsOptions): Connections {
  const { limits, trustedProxies, unreadAnswerMs, logger } = options;
  const connections = new Map<Socket, Connection>();
  const places = new Places<Connection>({
    total: limits.connections,
    perAddress: limits.connectionsPerAddress,
    isEndable: (connection) => connection.waitsForClient,
    end: (connection) => connection.destroy(),
  });
  const requests = new Places<ServerResponse>({
    total: limits.requests,
    perAddress: limits.requestsPerAddress,
    isEndable: ({ req }) => connections.get(req.socket)?.waitsForClient ?? false,
    end: ({ req }) => req.socket.destroy(),
  });
  let isEnding = false;
  const warn = createWarning(logger);

  // Requests are those of the connection within that of TLS, where there is TLS.
  const arrival = 'setSecureContext' in server ? 'secureConnection' : 'connection';
  server.on(arrival, (socket: Socket) => {
    const { remoteAddress } = socket;
    const isProxy = remoteAddress !== undefined && trustedProxies.contains(remoteAddress);
    const networks = isProxy ? [] : addressNetworks(remoteAddress ?? null);
    const connection = new Connection(socket, isProxy, networks);
    connections.set(socket, connection);
    const place = places.takeIn(connection, networks);
    socket.once('close', () => {
      connections.delete(socket);
      places.leave(place);
      for (const open of connection.open.splice(0)) requests.leave(open);
      connection.endRequest();
    });
    if (place.isWithin) return;
    warn(remoteAddress);
    socket.destroy();
  });
  server.setTimeout(unreadAnswerMs, (socket: Socket) => connections.get(socket)?.onSilence());

  return {
    get sockets() {
      return connections.keys();
    },
    isSilent: (socket) => connections.get(socket)?.isSilent ?? false,
    admit(request, response) {
      const connection = connections.get(request.socket);
      if (!connection || connection.isClosing) return 'ignored';
      if (connection.open.length >= MAX_PIPELINED) {
        connection.closeAfterAnswers();
        return 'ignored';
      }
      const place = connection.isProxy
        ? requests.take(response, clientAddress(request, trustedProxies))
        : requests.takeIn(response, connection.networks);
      connection.add(request, place);
      response.once('close', () => {
        const at = connection.open.indexOf(place);
        if (at < 0) return;
        connection.open.splice(at, 1);
        requests.leave(place);
      });
      if (isEnding) response.shouldKeepAlive = false;
      return place.isWithin ? 'admitted' : 'too-many';
    },
    lastResponse: (socket) => connections.get(socket)?.lastResponse,
    stopParsing: (socket) => connections.get(socket)?.stopParsing(),
    announceEnd() {
      isEnding = true;
      for (const { open } of connections.values()) {
        for (const { item: response } of open) response.shouldKeepAlive = false;
      }
    },
  };
}

const lingering = new WeakSet<object>();

/** Whether a connection discards unread input after its last answer, so that its client reads the answer. */
export function isLingering(socket: object): boolean {
  return lingering.has(socket);
}

/** One connection, between its socket and Node's parser. */
class Connection {
  /** Whether it is of a trusted proxy, so that its requests are of several clients. */
  readonly isProxy: boolean;
  /** The networks of its client; none for a trusted proxy. */
  readonly networks: readonly string[];
  /** The places of responses that have not been taken. */
  readonly open: Array<Place<ServerResponse>> = [];
  lastResponse: ServerResponse | undefined;
  isClosing = false;
  isSilent = true;
  readonly #socket: Socket;
  #lastRequest: IncomingMessage | undefined;
  #discarded = 0;

  constructor(socket: Socket, isProxy: boolean, networks: readonly string[]) {
    this.#socket = socket;
    this.isProxy = isProxy;
    this.networks = networks;
    lingering.add(socket);
    const [feed] = socket.listeners('data') as Array<(chunk: Buffer) => void>;
    if (feed) {
      socket.removeListener('data', feed);
      socket.on('data', (chunk: Buffer) => this.#receive(chunk, feed));
    }
    // Node ends a connection by this method when a response says that it is the last one.
    const destroySoon = socket.destroySoon.bind(socket);
    socket.destroySoon = () => {
      if (this.isClosing || this.#lastRequest?.complete === false) this.#linger();
      else destroySoon();
    };
  }

  /** Whether it is idle, a request is still arriving, or its client has not taken what was sent. */
  get waitsForClient(): boolean {
    const isIdle = this.open.length === 0;
    return isIdle || this.#lastRequest?.complete === false || this.#socket.writableLength > 0;
  }

  add(request: IncomingMessage, place: Place<ServerResponse>): void {
    this.#lastRequest = request;
    this.lastResponse = place.item;
    this.open.push(place);
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** Node does not tell the reader of a body whose request was answered before its end. */
  endRequest(): void {
    if (this.#lastRequest?.complete === false) this.#lastRequest.destroy();
  }

  stopParsing(): void {
    this.isClosing = true;
  }

  closeAfterAnswers(): void {
    this.isClosing = true;
    this.lastResponse?.once('close', () => this.#socket.destroySoon());
  }

  /** A request in progress may take longer than a client may take for its answer. */
  onSilence(): void {
    if (this.open.length === 0 || this.#socket.writableLength > 0) this.#socket.destroy();
  }

  #receive(chunk: Buffer, feed: (part: Buffer) => void): void {
    const socket = this.#socket;
    this.isSilent = false;
    for (let at = 0; at < chunk.length; ) {
      if (this.isClosing) {
        this.#discard(chunk.length - at);
        return;
      }
      // Node has stopped reading: a body is not consumed, or answers are not taken.
      if (at > 0 && socket.isPaused()) {
        socket.unshift(chunk.subarray(at));
        return;
      }
      const end = endOfPart(chunk, at);
      feed(at === 0 && end === chunk.length ? chunk : chunk.subarray(at, end));
      at = end;
    }
  }

  #discard(bytes: number): void {
    this.#discarded += bytes;
    if (this.#discarded > LINGER_BYTES) this.#socket.destroy();
  }

  /**
   * Closing a connection with unread input resets it, and the client may lose the answer: it is
   * closed in one direction until the client has read it (RFC 9112, section 9.6).
   */
  #linger(): void {
    const socket = this.#socket;
    this.isClosing = true;
    const giveUp = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(giveUp));
    socket.once('end', () => socket.destroy());
    socket.end();
    socket.resume();
  }
}

/** After the first end of a head beyond {@link PARSED_AT_ONCE} bytes, or all of the chunk. */
function endOfPart(chunk: Buffer, start: number): number {
  if (chunk.length - start <= PARSED_AT_ONCE) return chunk.length;
  const at = chunk.indexOf(END_OF_HEAD, start + PARSED_AT_ONCE, 'latin1');
  return at < 0 ? chunk.length : at + END_OF_HEAD.length;
}

/** A line per minute at most: a client decides how many connections it opens. */
function createWarning(logger: Logger): (address: string | undefined) => void {
  let refused = 0;
  let warnedAtMs = Number.NEGATIVE_INFINITY;
  return (address) => {
    refused += 1;
    if (performance.now() - warnedAtMs < WARNING_PAUSE_MS) return;
    warnedAtMs = performance.now();
    logger.warn('connections beyond the limit were closed', { refused, address });
    refused = 0;
  };
}
