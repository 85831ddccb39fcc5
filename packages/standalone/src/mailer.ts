import { isIP } from 'node:net';
import { dirname, join } from 'node:path';
import type { Clock, Logger, Mailer } from '@probity/core';
import { createFileMailer, createSmtpMailer } from '@probity/core/mail';
import type { ServerConfig } from './config.ts';

/** What decides how mails are sent. */
export interface MailerOptions {
  readonly config: Pick<ServerConfig, 'smtpUrl' | 'mailFrom' | 'publicUrl' | 'database'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * The mailer of the configuration: SMTP where there is a server, else files in the folder `outbox`
 * beside the SQLite database, or with PostgreSQL in the working directory (contract, section 3).
 */
export function createMailer({ config, clock, logger }: MailerOptions): Mailer {
  const from = config.mailFrom ?? defaultSender(config.publicUrl);
  if (config.smtpUrl) return createSmtpMailer({ url: config.smtpUrl, from });
  const { database } = config;
  const beside = database.kind === 'sqlite' ? dirname(database.path) : '.';
  return createFileMailer({ folder: join(beside, 'outbox'), from, clock, logger });
}

function defaultSender(publicUrl: string | null): string {
  const host = publicUrl ? new URL(publicUrl).hostname : 'localhost';
  const domain = host.startsWith('[') || isIP(host) ? 'localhost' : host;
  return `Probity <no-reply@${domain}>`;
}
