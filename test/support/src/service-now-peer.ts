import { randomBytes } from 'node:crypto';
import type { OAuthPeer, PeerOperation } from './oauth-peer.ts';
import {
  hasClient,
  isAuthorized,
  issueToken,
  jsonBodyOf,
  jsonReply,
  startOAuthPeer,
  tokenFormOf,
} from './oauth-peer.ts';
import type { ReceivedRequest } from './request-log.ts';
import type { TestLifetime } from './temporary-folder.ts';

/** A record of the incident table, with the values as the table has them. */
type StoredIncident = Readonly<Record<string, string>>;

/** A server that behaves as a ServiceNow instance does: OAuth and the incident table. */
export interface ServiceNowPeer extends OAuthPeer {
  /** Base URL of the instance. */
  readonly url: string;
  readonly incidents: StoredIncident[];
  /** Whether the client may read and write incidents (the role `itil`). */
  hasRole: boolean;
  /** Whether queries for the correlation pass over it, as for a client that may not read the field. */
  ignoresCorrelation: boolean;
  /** The time at which records are created. */
  now: () => Date;
}

/** The credentials of the client that the peer knows at first. */
export const SERVICE_NOW_CLIENT = { client_id: 'probity', client_secret: 'itsm-S3cret/+=&' };

const TABLE = '/api/now/table/incident';
const WRITABLE: Readonly<Record<string, RegExp>> = {
  short_description: /^.{1,160}$/s,
  description: /^.{1,4000}$/s,
  category: /^.{1,40}$/,
  subcategory: /^.{1,40}$/,
  priority: /^[1-5]$/,
  urgency: /^[1-3]$/,
  impact: /^[1-3]$/,
  correlation_id: /^[\w-]{1,100}$/,
  correlation_display: /^.{1,100}$/,
};
const NOT_AUTHENTICATED = {
  error: {
    message: 'User Not Authenticated',
    detail: 'Required to provide Auth information',
  },
  status: 'failure',
};
const NO_RIGHTS = {
  error: { message: 'Operation Failed', detail: 'ACL Exception Insert Failed due to security' },
  status: 'failure',
};

/** Starts the server with one client. */
export async function startServiceNowPeer(test?: TestLifetime): Promise<ServiceNowPeer> {
  const operationOf = (request: ReceivedRequest): PeerOperation | null => {
    const url = new URL(request.url, peer.url);
    if (url.pathname === '/oauth_token.do') {
      return { name: 'token', answer: () => answerToken(peer, request) };
    }
    if (url.pathname !== TABLE) return null;
    if (request.headers.accept !== 'application/json') peer.faults.push('another Accept');
    const guarded = (answer: () => ReturnType<typeof jsonReply>) => () => {
      if (!isAuthorized(peer, request)) return jsonReply(401, NOT_AUTHENTICATED);
      return peer.hasRole ? answer() : jsonReply(403, NO_RIGHTS);
    };
    if (request.method === 'GET') {
      return { name: 'read', answer: guarded(() => answerRead(peer, url)) };
    }
    if (request.method !== 'POST') return null;
    return { name: 'create', answer: guarded(() => answerCreate(peer, request, url)) };
  };
  const base = await startOAuthPeer(test, { operationOf });
  const peer: ServiceNowPeer = Object.assign(base, {
    url: base.receiver.url,
    incidents: [],
    hasRole: true,
    ignoresCorrelation: false,
    now: () => new Date(),
  });
  peer.clients.set(SERVICE_NOW_CLIENT.client_id, SERVICE_NOW_CLIENT.client_secret);
  return peer;
}

function answerToken(peer: ServiceNowPeer, request: ReceivedRequest) {
  const form = tokenFormOf(request, peer, ['grant_type', 'client_id', 'client_secret']);
  if (!hasClient(peer, form)) {
    return jsonReply(401, { error_description: 'access_denied', error: 'invalid_client' });
  }
  return jsonReply(200, {
    access_token: issueToken(peer),
    scope: 'useraccount',
    token_type: 'Bearer',
    expires_in: peer.tokenLifeSeconds,
  });
}

function answerRead(peer: ServiceNowPeer, { searchParams }: URL) {
  const limit = Number(searchParams.get('sysparm_limit') ?? 10_000);
  const conditions = (searchParams.get('sysparm_query') ?? '').split('^');
  let found = [...peer.incidents];
  for (const condition of conditions.filter(Boolean)) {
    const [, id] = /^correlation_id=(.*)$/.exec(condition) ?? [];
    if (id === undefined && condition !== 'ORDERBYDESCsys_created_on') {
      peer.faults.push(`the query ${condition}`);
    }
    if (id !== undefined && !peer.ignoresCorrelation) {
      found = found.filter(({ correlation_id }) => correlation_id === id);
    }
    if (id === undefined) found.sort((left, right) => (timeOf(left) < timeOf(right) ? 1 : -1));
  }
  return jsonReply(200, { result: found.slice(0, limit).map((each) => pick(each, searchParams)) });
}

function timeOf({ sys_created_on = '' }: StoredIncident): string {
  return sys_created_on;
}

function answerCreate(peer: ServiceNowPeer, request: ReceivedRequest, { searchParams }: URL) {
  const values = jsonBodyOf(request, peer);
  for (const [name, value] of Object.entries(values)) {
    const isGood = typeof value === 'string' && WRITABLE[name]?.test(value);
    if (!isGood) peer.faults.push(`the field ${name} with ${JSON.stringify(value)}`);
  }
  const incident: StoredIncident = {
    correlation_id: '',
    ...(values as Record<string, string>),
    sys_id: randomBytes(16).toString('hex'),
    number: `INC${String(10_001 + peer.incidents.length).padStart(7, '0')}`,
    state: '1',
    sys_created_on: peer.now().toISOString().slice(0, 19).replace('T', ' '),
  };
  peer.incidents.push(incident);
  return jsonReply(201, { result: pick(incident, searchParams) });
}

function pick(incident: StoredIncident, query: URLSearchParams): StoredIncident {
  const names = query.get('sysparm_fields')?.split(',') ?? Object.keys(incident);
  return Object.fromEntries(names.map((name) => [name, incident[name] ?? '']));
}
