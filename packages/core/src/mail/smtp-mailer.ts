import type { Mailer } from './mail.ts';
import { toMessage } from './message.ts';

/** The mail server and the sender. */
export interface SmtpMailerOptions {
  /** `smtp://` (STARTTLS when the server supports it) or `smtps://`, with user and password. */
  readonly url: string;
  /** The sender: an address, or a name and an address in angle brackets. */
  readonly from: string;
}

/** Timeouts of an unresponsive mail server, so that stopping does not wait any longer. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/**
 * Sends mails by SMTP, each on a separate connection. The library is loaded with the first mail, at
 * no cost for a server without SMTP.
 */
export function createSmtpMailer({ url, from }: SmtpMailerOptions): Mailer {
  let transport: ReturnType<typeof createTransport> | undefined;
  return {
    async send(mail) {
      transport ??= createTransport(url);
      await (await transport).sendMail(toMessage(mail, from));
    },
  };
}

async function createTransport(url: string) {
  const nodemailer = await import('nodemailer');
  return nodemailer.createTransport({ url, ...TIMEOUTS });
}
