import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import type { Logger } from '../logging/logger.ts';
import type { Mailer } from './mail.ts';
import { toMessage } from './message.ts';

/** Dependencies of the file mailer. */
export interface FileMailerOptions {
  /** Folder of the files; created if missing, its parent folder must exist. */
  readonly folder: string;
  /** The sender in the format of a mail header. */
  readonly from: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Writes mails to files `<id>.eml` for manual delivery, when no mail server is configured. They
 * contain secrets, so only their owner can read them, and only the path is logged.
 */
export function createFileMailer({ folder, from, clock, logger }: FileMailerOptions): Mailer {
  let transport: ReturnType<typeof createTransport> | undefined;
  return {
    async send(mail) {
      transport ??= createTransport();
      const date = clock.now();
      const { message } = await (await transport).sendMail({ ...toMessage(mail, from), date });
      await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      });
      const path = join(folder, `${mail.id}.eml`);
      const draft = `${path}.${process.pid}`;
      await writeFile(draft, message, { mode: 0o600, flush: true });
      await rename(draft, path);
      logger.info('a mail was written to a file', { path });
    },
  };
}

/** Composes messages without sending them. The library is loaded with the first mail. */
async function createTransport() {
  const nodemailer = await import('nodemailer');
  const transport = nodemailer.createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'unix',
  });
  // Quoted-printable would split links over two lines; with 8bit a link can be copied from the
  // file.
  transport.use('stream', ({ message }, done) => {
    message.getTransferEncoding = () => '8bit';
    done();
  });
  return transport;
}
