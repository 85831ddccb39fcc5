import { isIP } from 'node:net';
import { join } from 'node:path';
import type { Clock, Logger, Mailer } from '@probity/core';
import { createFileMailer, createSmtpMailer } from '@probity/core/mail';
import type { ServerConfig } from './config.ts';

/** What decides how mails are sent. */
export interface MailerOptions {
  readonly config: Pick<ServerConfig, 'smtpUrl' | 'mailFrom' | 'publicUrl' | 'dataDir'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Creates the mailer: SMTP where a server is configured, else files in `outbox` in the data folder. */
export function createMailer({ config, clock, logger }: MailerOptions): Mailer {
  const from = config.mailFrom ?? defaultSender(config.publicUrl);
  if (config.smtpUrl) return createSmtpMailer({ url: config.smtpUrl, from });
  return createFileMailer({ folder: join(config.dataDir, 'outbox'), from, clock, logger });
}

function defaultSender(publicUrl: string | null): string {
  const host = publicUrl ? new URL(publicUrl).hostname : 'localhost';
  const domain = host.startsWith('[') || isIP(host) ? 'localhost' : host;
  return `Probity <no-reply@${domain}>`;
}
