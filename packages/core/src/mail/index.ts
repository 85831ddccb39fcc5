// Mailers on nodemailer, which is an optional peer.
export type { FileMailerOptions } from './file-mailer.ts';
export { createFileMailer } from './file-mailer.ts';
export type { SmtpMailerOptions } from './smtp-mailer.ts';
export { createSmtpMailer } from './smtp-mailer.ts';
