import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { JourneyOptions } from './client-journey.ts';
import { bootstrap, serve } from './support.ts';

/** What the journey sees in every runtime. */
export const EXPECTED = {
  apiVersion: '1.0.0',
  verdict: 'allowed',
  role: 'owner',
  blocked: Array.from({ length: 3 }, () => [
    ...['BlockedError', 'PII_DETECTED', 403, 'pii_scanner found ssn'],
  ]),
  alerts: 3,
  first: [2, 3],
  messages: 1,
  hasKey: true,
  isRevoked: true,
  notFound: ['NotFoundError', 'RESOURCE_NOT_FOUND', 404],
  invalid: ['InvalidRequestError', 'VALIDATION_ERROR', 422, 'events'],
  stranger: ['AuthenticationError', 'INVALID_API_KEY', 401],
  event: 'alert.created',
};

/** A server with an organization. */
export interface Served extends JourneyOptions {
  readonly url: string;
}

/** Starts a server on a new database. */
export async function serveOn(t: TestContext, database: string): Promise<Served> {
  const { url } = await serve(t, database);
  const { api_key: apiKey, organization_id: organizationId } = await bootstrap(database);
  return { url, baseUrl: url, apiKey, organizationId };
}

/** The program that runs the journey. */
export const PROGRAM = fileURLToPath(new URL('client-program.js', import.meta.url));
/** The folder of the compiled client, as a URL. */
export const CLIENT = new URL('.', import.meta.resolve('@probity/client')).href.replace(/\/$/, '');
