import type {
  Clock,
  Ids,
  JobOutcome,
  LeasedJob,
  Mail,
  NewJob,
  OwnerNotice,
  OwnerNotices,
  RetryProfile,
  Storage,
  Worker,
} from '@probity/core';
import { done } from '@probity/core';
import type { MailWorkerOptions } from '@probity/core/internal';
import { createMailWorker, exponentialDelays } from '@probity/core/internal';
import type { MemberReads } from '../members/storage.ts';
import type { OrganizationReads } from '../organizations/storage.ts';
import type { MailLimits } from './limits.ts';
import { createMailCounter, DEFAULT_MAIL_LIMITS } from './limits.ts';
import { toMailName } from './names.ts';
import type { MailCountWrites } from './storage.ts';

/** The queue of notices to owners. */
export const NOTICE_QUEUE = 'mail.notices';

/** Owners or admins of one organization that a notice is mailed to, the first ones. */
const MAX_RECIPIENTS = 50;

/** The role of those whom a notice is mailed to. */
const ROLE_OF = { owners: 'owner', admins: 'admin' } as const;

/** Twelve attempts within a day. */
const NOTICE_RETRY: RetryProfile = {
  delaysMs: exponentialDelays(30_000, 3 * 3_600_000),
  maxAttempts: 17,
  jitter: 0.2,
};

/** Dependencies of the worker that mails notices. */
export interface NoticeMailerOptions extends Omit<MailWorkerOptions, 'secretBox'> {
  readonly storage: NoticeStorage;
  /** Default {@link DEFAULT_MAIL_LIMITS}. */
  readonly mailLimits?: MailLimits | undefined;
}

type NoticeStorage = Storage<MemberReads & OrganizationReads, MailCountWrites>;

/** Stores notices as jobs, which {@link createNoticeMailer} mails to each active owner. */
export function createOwnerNotices({ clock, ids }: { clock: Clock; ids: Ids }): OwnerNotices {
  return {
    send: (tx, { text, ...notice }) =>
      tx.enqueueJobs([noticeJob(ids, clock.now(), { ...notice, text: text.slice(0, 10_000) })]),
  };
}

/**
 * Creates the worker that mails notices. Each owner gets one at least once, more than once only if a
 * process dies before it records the delivery. A failed mail is retried for about a day. Notices above
 * the limit of an organization are logged and not mailed.
 */
export function createNoticeMailer(options: NoticeMailerOptions): Worker {
  return createMailWorker(NOTICE_QUEUE, options, NOTICE_RETRY, (job) =>
    job.payload.memberId === undefined ? addressNotice(job, options) : sendNotice(job, options),
  );
}

/** Stores a job for each owner, so that one who cannot be mailed to keeps nothing from the others. */
async function addressNotice(
  { payload }: LeasedJob,
  { storage, clock, ids, logger, mailLimits = DEFAULT_MAIL_LIMITS }: NoticeMailerOptions,
): Promise<JobOutcome> {
  const { organizationId = '', subject = '', text = '' } = payload;
  const to = recipientsOf(payload.to);
  const mails = createMailCounter(clock, mailLimits);
  const recipients = await storage.listActiveMembers(organizationId, ROLE_OF[to], MAX_RECIPIENTS);
  return done(({ session }) =>
    storage.transaction({ session }, async (tx) => {
      const jobs: NewJob[] = [];
      for (const { id: memberId } of recipients) {
        if (!(await mails.allowsNotice(tx, organizationId))) {
          logger.warn('notices to owners are not mailed', { organization_id: organizationId });
          break;
        }
        jobs.push(noticeJob(ids, clock.now(), { organizationId, memberId, to, subject, text }));
      }
      await tx.enqueueJobs(jobs);
    }),
  );
}

async function sendNotice(
  { id, payload }: LeasedJob,
  { storage, mailer, baseUrl }: NoticeMailerOptions,
): Promise<JobOutcome> {
  const { organizationId = '', memberId = '', subject = '', text = '' } = payload;
  const to = recipientsOf(payload.to);
  const member = await storage.findMember(organizationId, memberId);
  const organization = await storage.findOrganization(organizationId);
  if (!organization || member?.role !== ROLE_OF[to] || member.status !== 'active') return done();
  try {
    await mailer.send(
      noticeMail(id, member.email, organization.name, { to, subject, text }, baseUrl()),
    );
  } catch (cause) {
    throw new Error(`A notice to ${memberId} could not be mailed`, { cause });
  }
  return done();
}

/** Jobs that were stored before there were notices to admins name nobody. */
function recipientsOf(to: string | undefined): keyof typeof ROLE_OF {
  return to === 'admins' ? to : 'owners';
}

function noticeMail(
  id: string,
  to: string,
  organizationName: string,
  { to: role, subject, text }: Omit<Required<OwnerNotice>, 'organizationId'>,
  baseUrl: string,
): Mail {
  const reason = `You get this mail as an ${ROLE_OF[role]} of ${toMailName(organizationName)} on Probity, ${baseUrl}.`;
  return { id, to, subject, text: [text, '', reason, ''].join('\n') };
}

/** Notices of one organization share a group. */
function noticeJob(
  ids: Ids,
  dueAt: Date,
  payload: OwnerNotice & { readonly memberId?: string },
): NewJob {
  const { organizationId } = payload;
  return {
    id: ids.next('job'),
    queue: NOTICE_QUEUE,
    tenantId: organizationId,
    group: organizationId,
    payload: { ...payload },
    dueAt,
  };
}
