import type { Clock, RateLimit, RetentionRule, Storage } from '@probity/core';
import { OUTSIDE_REQUEST, ProbityError } from '@probity/core';
import { DAY_MS, hashSecret, mailboxKey } from '@probity/core/internal';
import type { MailCountReads, MailCountWrites } from './storage.ts';

/** What limits of mails count by. */
const MAIL_LIMIT_KINDS = ['recipient', 'domain', 'organization', 'reset', 'notice'] as const;
type MailLimitKind = (typeof MAIL_LIMIT_KINDS)[number];

/**
 * How many mails are sent: invitations to one `recipient` by all organizations, invitations of one
 * `organization` in all and to one `domain`, and password `reset`s to one recipient. A recipient is a
 * mailbox, see {@link mailboxOf}. Resets count apart, so that invitations cannot keep a member from
 * resetting the password. `notice`s to the owners of one organization count apart as well. `requests` are mails.
 */
export type MailLimits = Readonly<Record<MailLimitKind, RateLimit>>;

const DAY_SECONDS = 86_400;

/** The default limits. A reset lasts as long as its window: the last link that was mailed works. */
export const DEFAULT_MAIL_LIMITS: MailLimits = Object.freeze({
  recipient: { requests: 10, windowSeconds: DAY_SECONDS },
  domain: { requests: 250, windowSeconds: DAY_SECONDS },
  organization: { requests: 500, windowSeconds: DAY_SECONDS },
  reset: { requests: 5, windowSeconds: 3_600 },
  notice: { requests: 100, windowSeconds: DAY_SECONDS },
});

/** Counts mails against the limits, in the transaction of what they are sent for. */
export interface MailCounter {
  /** @throws ProbityError `rate_limited` with Retry-After, which rolls the transaction back */
  requireInvitation(tx: MailCountWrites, organizationId: string, recipient: string): Promise<void>;
  /** Counts a password reset; false when it must not be mailed. */
  allowsReset(tx: MailCountWrites, recipient: string): Promise<boolean>;
  /**
   * Counts a notice to an owner, or to an address that is not a member's; false when it must not be mailed.
   * @param address counts like the recipient of an invitation
   */
  allowsNotice(tx: MailCountWrites, organizationId: string, address?: string): Promise<boolean>;
}

/** Creates the counter. Windows are fixed: a day is one in UTC. */
export function createMailCounter(clock: Clock, limits: MailLimits): MailCounter {
  /** Milliseconds until the next mail is allowed; 0 when this one is. */
  async function count(tx: MailCountWrites, kind: MailLimitKind, value: string): Promise<number> {
    const { requests, windowSeconds } = limits[kind];
    const windowMs = windowSeconds * 1_000;
    const nowMs = clock.now().getTime();
    const startMs = nowMs - (nowMs % windowMs);
    const mails = await tx.countMail(hashSecret(`${kind}:${value}`), new Date(startMs));
    return mails <= requests ? 0 : startMs + windowMs - nowMs;
  }

  return {
    async requireInvitation(tx, organizationId, recipient) {
      // Always in this order, so that two transactions cannot deadlock.
      const mailbox = mailboxOf(recipient);
      const domain = `${organizationId}:${mailbox.slice(mailbox.lastIndexOf('@') + 1)}`;
      refuse(await count(tx, 'recipient', mailbox), 'to this address');
      refuse(await count(tx, 'domain', domain), 'to this domain by this organization');
      refuse(await count(tx, 'organization', organizationId), 'by this organization');
    },
    allowsReset: async (tx, recipient) => (await count(tx, 'reset', mailboxOf(recipient))) === 0,
    async allowsNotice(tx, organizationId, address) {
      if (address && (await count(tx, 'recipient', mailboxOf(address))) > 0) return false;
      return (await count(tx, 'notice', organizationId)) === 0;
    },
  };
}

/** Domains of one provider, which ignores dots in the part before the @ (Gmail Help, answer 7436150). */
const DOTLESS_DOMAINS = new Map([
  ['gmail.com', 'gmail.com'],
  ['googlemail.com', 'gmail.com'],
]);

/**
 * The mailbox that an address most probably leads to: in any writing, without a subaddress (`+…`, RFC
 * 5233), and at Gmail without dots. For counting only: at other providers two such addresses may be
 * two mailboxes, which then share a limit.
 */
export function mailboxOf(email: string): string {
  const key = mailboxKey(email);
  const at = key.lastIndexOf('@');
  const domain = key.slice(at + 1);
  const local = key.slice(0, at);
  const plus = local.indexOf('+', 1);
  const detached = plus === -1 ? local : local.slice(0, plus);
  const provider = DOTLESS_DOMAINS.get(domain);
  return provider ? `${detached.replaceAll('.', '')}@${provider}` : `${detached}@${domain}`;
}

function refuse(waitMs: number, counted: string): void {
  if (waitMs === 0) return;
  const seconds = Math.ceil(waitMs / 1_000);
  throw new ProbityError(
    'rate_limited',
    `Too many invitations were sent ${counted}; try again in ${seconds} s.`,
    { headers: { 'Retry-After': String(seconds) } },
  );
}

/**
 * Parses `recipient=10/86400,domain=250/86400,organization=500/86400,reset=5/3600,notice=100/86400`: mails per seconds; kinds that are
 * not named keep their default.
 * @throws Error that names the invalid entry
 */
export function parseMailLimits(text: string): MailLimits {
  const limits: Record<MailLimitKind, RateLimit> = { ...DEFAULT_MAIL_LIMITS };
  for (const entry of text.split(',').map((part) => part.trim())) {
    if (entry === '') continue;
    const [, name, mails, seconds] = /^(\w+)=(\d{1,9})\/(\d{1,5})$/.exec(entry) ?? [];
    const kind = MAIL_LIMIT_KINDS.find((each) => each === name);
    const [requests, windowSeconds] = [Number(mails), Number(seconds)];
    if (!kind || !requests || !windowSeconds || windowSeconds > DAY_SECONDS) {
      throw new Error(
        `"${entry}" is not of the form KIND=MAILS/SECONDS with one of ` +
          `${MAIL_LIMIT_KINDS.join(', ')}, at least 1 mail and at most ${DAY_SECONDS} seconds`,
      );
    }
    limits[kind] = { requests, windowSeconds };
  }
  return limits;
}

/** Retention rule that deletes the counts of past windows, of which the longest is a day. */
export function mailRetentionRules(
  storage: Storage<MailCountReads, MailCountWrites>,
): RetentionRule[] {
  return [
    {
      name: 'mail_counts',
      olderThanMs: DAY_MS,
      deleteBatch: (before, limit) =>
        storage.transaction(OUTSIDE_REQUEST, (tx) => tx.deleteOldMailCounts(before, limit)),
    },
  ];
}
