import type { Mail } from './mail.ts';

/** A mail as nodemailer takes it; a repetition has the same Message-ID. */
export function toMessage({ id, to, subject, text }: Mail, from: string) {
  const domain = /@([^\s<>@]+?)>?$/.exec(from)?.[1] ?? 'localhost';
  return {
    from,
    // As an object it is one address whatever it holds, and never a list.
    to: { name: '', address: to },
    subject,
    text,
    messageId: `<${id}@${domain}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
