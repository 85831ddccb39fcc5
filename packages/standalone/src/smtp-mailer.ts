import type { Mailer } from '@probity/core';

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
  const domain = /@([^\s<>@]+?)>?$/.exec(from)?.[1] ?? 'localhost';
  return {
    async send({ id, to, subject, text }) {
      transport ??= createTransport(url);
      await (await transport).sendMail({
        from,
        // As an object it is one address whatever it holds, and never a list.
        to: { name: '', address: to },
        subject,
        text,
        messageId: `<${id}@${domain}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    },
  };
}

async function createTransport(url: string) {
  const nodemailer = await import('nodemailer');
  return nodemailer.createTransport({
    url,
    ...TIMEOUTS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}
