import type { Mail } from './mail.ts';

/** Converts a mail to a nodemailer message; a repetition has the same Message-ID. */
export function toMessage({ id, to, subject, text }: Mail, from: string) {
  const domain = /@([^\s<>@]+?)>?$/.exec(from)?.[1] ?? 'localhost';
  return {
    from,
    // As an object it is always one address, never a list.
    to: { name: '', address: to },
    subject,
    text,
    messageId: `<${id}@${domain}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
