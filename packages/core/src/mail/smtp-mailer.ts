import type { Mailer } from './mail.ts';
import { toMessage } from './message.ts';

/** Where mails go, and from whom. */
export interface SmtpMailerOptions {
  /** `smtp://` (TLS by STARTTLS where the server has it) or `smtps://`, with user and password. */
  readonly url: string;
  /** The sender: an address, or a name and an address in angle brackets. */
  readonly from: string;
}

/** Times after which a silent mail server has failed, so that stopping waits no longer. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/**
 * Sends mails by SMTP, each on a connection of its own. The library is loaded with the first mail:
 * a server without SMTP does not pay for it.
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
