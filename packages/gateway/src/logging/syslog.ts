import { createSocket } from 'node:dgram';
import { isIP } from 'node:net';
import { hostname } from 'node:os';

/** Sends log records to a syslog server (RFC 5424 over UDP, RFC 5426). */
export interface Syslog {
  send(record: SyslogRecord): void;
  close(): void;
}

/** A record: its level, its time, and what stands in MSG. */
interface SyslogRecord {
  readonly level: string;
  readonly timestamp: string;
  readonly message: string;
}

/** Facility `local0`. */
const FACILITY = 16;
const SEVERITIES: Readonly<Record<string, number>> = { ERROR: 3, WARN: 4, INFO: 6, DEBUG: 7 };
/** What fits into a datagram that is not fragmented by most networks is less; receivers take this much. */
const MAX_BYTES = 8_192;

/** Opens a socket. A server that is down loses records and holds up nothing. */
export function openSyslog(host: string, port: number): Syslog {
  const socket = createSocket(isIP(host) === 6 ? 'udp6' : 'udp4');
  socket.on('error', () => undefined);
  socket.unref();
  const origin = `${hostname() || '-'} probity-gateway ${process.pid}`;
  return {
    send({ level, timestamp, message }) {
      const priority = FACILITY * 8 + (SEVERITIES[level] ?? 6);
      const datagram = Buffer.from(`<${priority}>1 ${timestamp} ${origin} - - ${message}`);
      socket.send(datagram.subarray(0, MAX_BYTES), port, host, () => undefined);
    },
    close: () => socket.close(),
  };
}
