import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { gzipSync } from 'node:zlib';
import type { TestLifetime } from '@probity/test-support';
import { startHttpsReceiver, startRawReceiver, until } from '@probity/test-support';
import { bootstrap, call, emptyDatabases, scanLeak, serveProcess } from './support.ts';

const MIB = 2 ** 20;
const MOST_GROWTH_MIB = 64;
const RECEIVERS = 20;
const SCANS = 5;
const DELIVERIES = RECEIVERS * SCANS;

const ZEROS = Buffer.alloc(64 * 1024);
/** 16 MiB in 16 KiB; many in a row are one gzip file (RFC 1952, section 2.2). */
const BOMB = gzipSync(Buffer.alloc(16 * MIB));
const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n`;

interface Flood {
  readonly sender: string;
  readonly head: string;
  /** Written again and again, 1 GiB at most. */
  readonly rest: Buffer;
}

const bodies: readonly Flood[] = [
  { sender: '1 GiB', head: `${OK}Content-Length: ${1024 * MIB}\r\n\r\n`, rest: ZEROS },
  {
    sender: '1 GiB in chunks',
    head: `${CHUNKED}\r\n`,
    rest: Buffer.concat([Buffer.from('10000\r\n'), ZEROS, Buffer.from('\r\n')]),
  },
  { sender: '1 GiB of no known length', head: `${OK}\r\n`, rest: ZEROS },
  { sender: 'a gzip bomb', head: `${OK}Content-Encoding: gzip\r\n\r\n`, rest: BOMB },
  {
    sender: 'a gzip bomb as transfer coding',
    head: `${OK}Transfer-Encoding: gzip\r\nConnection: close\r\n\r\n`,
    rest: BOMB,
  },
];

const framings: readonly Flood[] = [
  { sender: 'headers without end', head: OK, rest: Buffer.from('A: b\r\n'.repeat(1_000)) },
  { sender: 'a header without end', head: `${OK}A: `, rest: Buffer.alloc(16_384, 'x') },
  { sender: 'line feeds without end', head: '', rest: Buffer.alloc(16_384, '\n') },
  {
    sender: 'trailers without end',
    head: `${CHUNKED}\r\n0\r\n`,
    rest: Buffer.from('A: b\r\n'.repeat(1_000)),
  },
  {
    sender: 'an extension of a chunk without end',
    head: `${CHUNKED}\r\n5;a=`,
    rest: Buffer.alloc(16_384, 'x'),
  },
  {
    sender: 'interim responses without end',
    head: '',
    rest: Buffer.from('HTTP/1.1 102 Processing\r\n\r\n'.repeat(500)),
  },
];

/** Writes as fast as the peer reads. */
function send(socket: TLSSocket, { head, rest }: Flood): void {
  socket.write(head, 'latin1');
  let sent = 0;
  const next = () => {
    sent += rest.length;
    if (!socket.destroyed && sent < 1024 * MIB) socket.write(rest, next);
  };
  next();
}

const statusOf = (pid: number) => readFileSync(`/proc/${pid}/status`, 'utf8');

function mib(pid: number, name: 'VmRSS' | 'VmHWM'): number {
  return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(statusOf(pid))?.[1]) / 1_024;
}

const hasProc = existsSync('/proc/self/clear_refs');

describe('memory of a server whose webhooks have hostile receivers', () => {
  const sqlite = emptyDatabases.find(({ name }) => name === 'sqlite');
  assert.ok(sqlite);

  for (const [what, floods] of [
    ['1 GiB or a gzip bomb', bodies],
    ['a response whose framing does not end', framings],
  ] as const) {
    it(`${RECEIVERS} receivers that each send ${what} cost at most ${MOST_GROWTH_MIB} MiB`, {
      skip: !hasProc,
    }, async (t) => {
      const quick = await startHttpsReceiver({ test: t });
      const location = await sqlite.create(t);
      const { api_key: key } = await bootstrap(location);
      const env = { PROBITY_WEBHOOKS_EGRESS_ALLOW: '127.0.0.1/32' };
      const { url, program } = await serveProcess(t, location, { receiver: quick, env });
      const webhooks = `${url}/api/v1/webhooks`;
      const subscribe = async (target: string) => {
        const webhook = { url: target, events: ['policy.violated'] };
        const { status, body } = await call(webhooks, key, 'POST', webhook);
        assert.equal(status, 201);
        return body.data.id as string;
      };
      const scan = async () => {
        for (let count = 0; count < SCANS; count += 1) await scanLeak(url, key);
      };

      // As many deliveries to harmless receivers first: what they cost is not the others' doing.
      const harmless: string[] = [];
      for (let index = 0; index < RECEIVERS; index += 1) {
        harmless.push(await subscribe(`${quick.url}/${index}`));
      }
      await scan();
      await quick.waitFor((_, all) => all.length === DELIVERIES);
      for (const id of harmless) await call(`${webhooks}/${id}`, key, 'DELETE');

      const receivers = await startFloods(t, floods);
      for (const receiver of receivers) await subscribe(receiver.url);
      const before = mib(program.pid, 'VmRSS');
      // Sets the peak to the present size.
      writeFileSync(`/proc/${program.pid}/clear_refs`, '5');
      await scan();
      const requests = () => receivers.reduce((sum, each) => sum + each.requests, 0);
      const isOpen = () => receivers.some(({ openConnections }) => openConnections > 0);
      await until(() => requests() >= DELIVERIES && !isOpen(), 'all requests have ended');
      assert.equal((await call(`${url}/api/status`, null)).status, 200);
      const grownBy = mib(program.pid, 'VmHWM') - before;
      t.diagnostic(`${before.toFixed(0)} MiB before, ${grownBy.toFixed(1)} MiB more at the peak`);
      assert.ok(grownBy <= MOST_GROWTH_MIB, `${grownBy} MiB`);
    });
  }
});

function startFloods(test: TestLifetime, floods: readonly Flood[]) {
  const starting = Array.from({ length: RECEIVERS }, (_, index) => {
    const flood = floods[index % floods.length] as Flood;
    return startRawReceiver(test, { onRequest: (socket) => send(socket, flood) });
  });
  return Promise.all(starting);
}
