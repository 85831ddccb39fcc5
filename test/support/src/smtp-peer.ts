import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import type { TestLifetime } from './temporary-folder.ts';

/** A mail as received. */
interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and text as sent. */
  readonly data: string;
}

/** A mail server that records its mails (RFC 5321, the commands that a client needs). */
export interface SmtpPeer {
  readonly url: string;
  readonly mails: readonly ReceivedMail[];
  /** The reply code for the next message, once; 250 accepts it. */
  refuseNext(code: number): void;
  /** Resolves with the mail of this index once it is there. */
  mail(index: number): Promise<ReceivedMail>;
  /** Resolves with the text of the n-th mail to this address, counted from 1, once it is there. */
  textTo(address: string, n?: number): Promise<string>;
}

/** Starts a mail server on a free port of this machine, until the test ends. */
export async function startSmtpPeer(test: TestLifetime): Promise<SmtpPeer> {
  const mails: ReceivedMail[] = [];
  const waiting: Array<() => void> = [];
  let refusal: number | null = null;
  const next = () => new Promise<void>((resolve) => waiting.push(resolve));
  const server = createServer((socket) => {
    void converse(socket, (mail) => {
      const code = refusal;
      refusal = null;
      if (code !== null) return code;
      mails.push(mail);
      for (const wake of waiting.splice(0)) wake();
      return 250;
    }).catch(() => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  test.after(() => void server.close());
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
    refuseNext(code) {
      refusal = code;
    },
    async mail(index) {
      while (mails.length <= index) await next();
      return mails[index] as ReceivedMail;
    },
    async textTo(address, n = 1) {
      const found = () => mails.filter(({ to }) => to.includes(address))[n - 1];
      while (!found()) await next();
      return decodeMailText(found()?.data ?? '');
    },
  };
}

/** Decodes quoted-printable text (RFC 2045, section 6.7); ours is ASCII. */
export function decodeMailText(text: string): string {
  return text.replace(/=\n/g, '').replace(/=3D/g, '=');
}

async function converse(socket: Socket, take: (mail: ReceivedMail) => number): Promise<void> {
  const say = (line: string) => socket.write(`${line}\r\n`);
  const lines = createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY });
  let from = '';
  let to: string[] = [];
  let data: string[] | null = null;
  say('220 test ESMTP');
  for await (const line of lines) {
    if (data && line !== '.') {
      data.push(line.replace(/^\.\./, '.'));
    } else if (data) {
      const code = take({ from, to, data: data.join('\n') });
      data = null;
      to = [];
      say(`${code} ${code === 250 ? 'kept' : 'not now'}`);
    } else if (/^EHLO/i.test(line)) {
      say('250-test');
      say('250 8BITMIME');
    } else if (/^MAIL FROM:/i.test(line)) {
      from = addressIn(line);
      say('250 ok');
    } else if (/^RCPT TO:/i.test(line)) {
      to.push(addressIn(line));
      say('250 ok');
    } else if (/^DATA/i.test(line)) {
      data = [];
      say('354 go on');
    } else if (/^QUIT/i.test(line)) {
      say('221 bye');
      socket.end();
    } else {
      say('250 ok');
    }
  }
}

function addressIn(line: string): string {
  return /<([^>]*)>/.exec(line)?.[1] ?? '';
}
