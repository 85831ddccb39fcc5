import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import type { Logger } from '../logging/logger.ts';
import type { Mail, Mailer } from './mail.ts';

/** What the mailer into files needs. */
export interface FileMailerOptions {
  /** Made where it is missing; the folder above it must exist. */
  readonly folder: string;
  /** The sender as a header shows it. */
  readonly from: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Mails as files `<id>.eml` for somebody to pass on, where no mail server is configured. They hold
 * secrets, so only their owner can read them, and the log names the path and nothing else.
 */
export function createFileMailer({ folder, from, clock, logger }: FileMailerOptions): Mailer {
  return {
    async send(mail) {
      await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      });
      const path = join(folder, `${mail.id}.eml`);
      const draft = `${path}.${process.pid}`;
      await writeFile(draft, toText(mail, from, clock.now()), { mode: 0o600, flush: true });
      await rename(draft, path);
      logger.info('a mail was written to a file', { path });
    },
  };
}

/** An internet message in UTF-8 (RFC 5322, RFC 6532), readable as it is. */
function toText({ to, subject, text }: Mail, from: string, date: Date): string {
  return [
    `From: ${from}`,
    `To: ${to}`,
    `Subject: ${subject}`,
    `Date: ${date.toUTCString().replace('GMT', '+0000')}`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
    '',
    text,
  ].join('\n');
}
