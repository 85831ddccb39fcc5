import assert from 'node:assert/strict';
import type { Mail, Role, Worker } from '@probity/core';
import { OUTSIDE_REQUEST } from '@probity/core';
import type { RouterOptions } from '@probity/core/koa';
import type { TestLifetime } from '@probity/test-support';
import { issueApiKey } from '../../src/credentials/api-keys.ts';
import { createInvitationMailer } from '../../src/members/invitation-mailer.ts';
import type { PlatformStorage } from '../../src/storage.ts';
import type { PlatformTarget } from '../../src/testing/targets.ts';
import { BASE_URL, testSecretBox } from '../support.ts';
import type { PlatformWorld } from '../world.ts';
import { createPlatformWorld } from '../world.ts';

/** A member in the API. */
export interface WireMember {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly role: Role;
  readonly status: string;
  readonly created_at: string;
  readonly last_login: string | null;
  readonly mfa_enabled: boolean;
  readonly invitation_sent_at?: string;
}

/** An invitation in the API. */
export interface WireInvitation {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly sent_at: string;
  readonly expires_at: string;
  readonly status: string;
}

/** The platform over HTTP with a mailer that records its mails. */
export interface MemberWorld extends PlatformWorld {
  readonly storage: PlatformStorage;
  /** Paths of the organization's members and invitations. */
  readonly membersPath: string;
  readonly invitationsPath: string;
  readonly mails: readonly Mail[];
  readonly mailWorker: Worker;
  /** Adds a member over HTTP, by default as the owner; it must succeed. */
  invite(email: string, role?: Role, token?: string): Promise<WireMember>;
  /** The last listed invitation of this address. */
  invitationOf(email: string): Promise<WireInvitation>;
  /** Sends the waiting mails and returns the token in the last mail to this address. */
  receiveToken(email: string): Promise<string>;
  accept(token: string, body?: object): Promise<Response>;
  /** Creates an active member with an API key of its role. */
  join(email: string, role: Role): Promise<{ id: string; key: string }>;
  /** Creates an API key of a member. */
  keyOf(memberId: string, role: Role): Promise<string>;
  /** Actors and actions of the audit log, newest first. */
  audited(): Promise<AuditLine[]>;
}

/** The fields of an audit entry that tests read. */
export interface AuditLine {
  readonly action: string;
  readonly actor: { readonly id: string; readonly credential_id: string | null };
  readonly target: { readonly type: string; readonly id: string };
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}

/** Creates the world on a separate database. */
export async function createMemberWorld(
  t: TestLifetime,
  target: PlatformTarget,
  router: Partial<RouterOptions> = {},
): Promise<MemberWorld> {
  const world = await createPlatformWorld(t, target, router);
  const { opened, runtime, organization, send, url } = world;
  const { storage } = opened;
  const mails: Mail[] = [];
  const mailWorker = createInvitationMailer({
    ...runtime,
    storage,
    mailer: { send: async (mail) => void mails.push(mail) },
    secretBox: testSecretBox(),
    baseUrl: () => BASE_URL,
  });
  const own = `/organizations/${organization.organizationId}`;
  const membersPath = `${own}/members`;
  const invitationsPath = `${own}/invitations`;

  async function json<Body>(sent: Promise<Response>, status: number): Promise<Body> {
    const response = await sent;
    const text = await response.text();
    assert.equal(response.status, status, text);
    return JSON.parse(text) as Body;
  }
  const invite: MemberWorld['invite'] = (email, role = 'editor', token) =>
    json(send('POST', membersPath, { body: { email, role }, ...(token ? { token } : {}) }), 201);
  const accept: MemberWorld['accept'] = (token, body = {}) =>
    fetch(`${url}/v1/invitations/accept`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, ...body }),
    });
  const receiveToken: MemberWorld['receiveToken'] = async (email) => {
    await mailWorker.runOnce();
    return tokenIn(mails.findLast(({ to }) => to === email));
  };
  const keyOf: MemberWorld['keyOf'] = async (memberId, role) => {
    const issued = issueApiKey(runtime.random, {
      id: runtime.ids.next('key'),
      organizationId: organization.organizationId,
      memberId,
      name: 'Own',
      role,
      createdAt: runtime.clock.now(),
      expiresAt: null,
    });
    await storage.transaction(OUTSIDE_REQUEST, (tx) => tx.insertApiKey(issued.key));
    return issued.token;
  };
  return {
    ...world,
    storage,
    membersPath,
    invitationsPath,
    mails,
    mailWorker,
    invite,
    accept,
    receiveToken,
    keyOf,
    async invitationOf(email) {
      const { invitations } = await json<{ invitations: WireInvitation[] }>(
        send('GET', invitationsPath),
        200,
      );
      const invitation = invitations.findLast((each) => each.email === email);
      assert.ok(invitation, `no invitation of ${email}`);
      return invitation;
    },
    async join(email, role) {
      const { id } = await invite(email, role);
      assert.equal((await accept(await receiveToken(email))).status, 200);
      return { id, key: await keyOf(id, role) };
    },
    async audited() {
      const path = `${own}/audit-log?limit=200`;
      const { audit_log } = await json<{ audit_log: AuditLine[] }>(send('GET', path), 200);
      return audit_log;
    },
  };
}

/** The token in the link of a mail. */
export function tokenIn(mail: Mail | undefined): string {
  const link = /^https:\/\/probity\.example\.com\/invitations\/accept\?token=(\w+)$/m;
  const token = link.exec(mail?.text ?? '')?.[1];
  assert.ok(token, 'no mail with a token');
  return token;
}

/** The `error` of a platform API response, with its status. */
export async function errorOf(sent: Response | Promise<Response>): Promise<[number, string]> {
  const response = await sent;
  return [response.status, ((await response.json()) as { error: string }).error];
}
