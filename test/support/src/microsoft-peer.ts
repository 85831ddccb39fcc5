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

/** A message that was posted. */
interface PostedMessage {
  readonly id: string;
  /** `team/channel`, or the chat. */
  readonly place: string;
  /** The Adaptive Card of its only attachment. */
  readonly card: Record<string, unknown>;
}

/** A server that behaves as Microsoft's token endpoint and as Graph do. */
export interface MicrosoftPeer extends OAuthPeer {
  readonly authorityUrl: string;
  readonly graphUrl: string;
  readonly messages: PostedMessage[];
  /** The places where the application may post. */
  readonly places: Set<string>;
  /** Whether the application has the permission to send messages. */
  mayPost: boolean;
}

/** The tenant and the client that the peer knows at first. */
export const MICROSOFT_CLIENT = {
  tenant_id: '6f5c1a7e-6d0b-4d6e-9c55-0d4c3f8a2b11',
  client_id: '1b9d7c42-3e0f-4a75-8a4e-5f1f0e2d9c33',
  client_secret: 'chat~S3cret.value_/+',
};

/** A channel and a chat that the peer has at first. */
export const MICROSOFT_CHANNEL = {
  team_id: 'fbe2bf47-16c8-47cf-b4a5-4b9b187c508b',
  channel_id: '19:4a95f7d8db4c4e7fae857bcebe0623e6@thread.tacv2',
};
/** The chat that the peer has at first. */
export const MICROSOFT_CHAT = '19:2da4c29f6d7041eca70b638b43d45437@thread.v2';

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/;
const CARD_TYPE = 'application/vnd.microsoft.card.adaptive';

/** Starts the server with one tenant, one client, one channel and one chat. */
export async function startMicrosoftPeer(test?: TestLifetime): Promise<MicrosoftPeer> {
  const operationOf = (request: ReceivedRequest): PeerOperation | null => {
    const { pathname, search } = new URL(request.url, peer.graphUrl);
    if (search !== '' || request.method !== 'POST') return null;
    const [, tenant] = /^\/authority\/([^/]+)\/oauth2\/v2\.0\/token$/.exec(pathname) ?? [];
    if (tenant !== undefined) {
      return {
        name: 'token',
        answer: () => answerToken(peer, request, decodeURIComponent(tenant)),
      };
    }
    const place = placeOf(pathname);
    return place === null
      ? null
      : { name: 'post', answer: () => answerMessage(peer, request, place) };
  };
  const base = await startOAuthPeer(test, { operationOf });
  const channel = `${MICROSOFT_CHANNEL.team_id}/${MICROSOFT_CHANNEL.channel_id}`;
  const peer: MicrosoftPeer = Object.assign(base, {
    authorityUrl: `${base.receiver.url}/authority`,
    graphUrl: `${base.receiver.url}/graph`,
    messages: [],
    places: new Set([channel, MICROSOFT_CHAT]),
    mayPost: true,
  });
  peer.clients.set(MICROSOFT_CLIENT.client_id, MICROSOFT_CLIENT.client_secret);
  return peer;
}

function placeOf(pathname: string): string | null {
  const [, team, channel, chat] =
    /^\/graph\/v1\.0(?:\/teams\/([^/]+)\/channels\/([^/]+)|\/chats\/([^/]+))\/messages$/.exec(
      pathname,
    ) ?? [];
  if (chat !== undefined) return decodeURIComponent(chat);
  if (team === undefined || channel === undefined) return null;
  return `${decodeURIComponent(team)}/${decodeURIComponent(channel)}`;
}

function answerToken(peer: MicrosoftPeer, request: ReceivedRequest, tenant: string) {
  const names = ['grant_type', 'client_id', 'client_secret', 'scope'];
  const form = tokenFormOf(request, peer, names);
  const scope = form.get('scope');
  if (scope !== `${peer.graphUrl}/.default`) peer.faults.push(`the scope ${scope}`);
  if (tenant !== MICROSOFT_CLIENT.tenant_id) {
    return refusal(400, 'invalid_request', `AADSTS90002: Tenant '${tenant}' not found.`);
  }
  if (!peer.clients.has(form.get('client_id') ?? '')) {
    const text = 'AADSTS700016: Application was not found in the directory.';
    return refusal(400, 'unauthorized_client', text);
  }
  if (!hasClient(peer, form)) {
    return refusal(401, 'invalid_client', 'AADSTS7000215: Invalid client secret provided.');
  }
  const seconds = peer.tokenLifeSeconds;
  return jsonReply(200, {
    token_type: 'Bearer',
    expires_in: seconds,
    ext_expires_in: seconds,
    access_token: issueToken(peer),
  });
}

function refusal(status: number, error: string, description: string) {
  return jsonReply(status, { error, error_description: description, error_codes: [7_000_215] });
}

function graphError(status: number, code: string, message: string) {
  return jsonReply(status, { error: { code, message, innerError: {} } });
}

function answerMessage(peer: MicrosoftPeer, request: ReceivedRequest, place: string) {
  if (!isAuthorized(peer, request)) {
    return graphError(401, 'InvalidAuthenticationToken', 'Access token has expired.');
  }
  if (!peer.mayPost) return graphError(403, 'Forbidden', 'Missing scope permissions.');
  if (!peer.places.has(place)) return graphError(404, 'NotFound', 'The channel was not found.');
  const message = jsonBodyOf(request, peer);
  const card = cardOf(message, peer);
  if (!card) return graphError(400, 'BadRequest', 'Invalid request body.');
  const id = String(1_616_990_032_035 + peer.messages.length);
  peer.messages.push({ id, place, card });
  return jsonReply(201, { id, messageType: 'message', webUrl: `https://teams.example/${id}` });
}

/** The card of a chatMessage that has nothing else. */
function cardOf(
  message: Record<string, unknown>,
  { faults }: OAuthPeer,
): Record<string, unknown> | null {
  const { body, attachments, ...others } = message as {
    body?: { contentType?: unknown; content?: unknown };
    attachments?: Array<Record<string, unknown>>;
  };
  if (Object.keys(others).length > 0) faults.push(`members ${Object.keys(others).join()}`);
  const [attachment, ...more] = attachments ?? [];
  if (!attachment || more.length > 0) return null;
  const { id, contentType, content, contentUrl, name, thumbnailUrl } = attachment;
  const isWhole = contentUrl === null && name === null && thumbnailUrl === null;
  const isNamed = typeof id === 'string' && UUID.test(id);
  const isShown =
    body?.contentType === 'html' && body.content === `<attachment id="${id}"></attachment>`;
  if (!isWhole || !isNamed || !isShown || contentType !== CARD_TYPE) {
    faults.push(`the message ${JSON.stringify(message)}`);
  }
  // Graph takes the card as a text of JSON.
  return typeof content === 'string' ? (JSON.parse(content) as Record<string, unknown>) : null;
}
