import type {
  Clock,
  Ids,
  JobOutcome,
  LeasedJob,
  NewJob,
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

/** Owners or admins of one organization to whom a notice is mailed, the first ones. */
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

/** Time and ids of new jobs. */
interface NoticeSource {
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Stores notices as jobs, which {@link createNoticeMailer} mails to each active owner. */
export function createOwnerNotices({ clock, ids }: NoticeSource): OwnerNotices {
  return {
    send: (tx, { text, ...notice }) =>
      tx.enqueueJobs([noticeJob(ids, clock.now(), { ...notice, text: text.slice(0, 10_000) })]),
  };
}

/** A notice to one address, such as a former address of a member. */
export interface AddressNotice {
  readonly organizationId: string;
  readonly address: string;
  /** One line, without texts that others have chosen. */
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
}

/** Makes the job that mails a notice to an address; it counts against the limits of mails. */
export function addressNoticeJob({ clock, ids }: NoticeSource, notice: AddressNotice): NewJob {
  return noticeJob(ids, clock.now(), { ...notice });
}

/**
 * Creates the worker that mails notices. Each owner gets one at least once, more than once only if a
 * process dies before it records the delivery. A failed mail is retried for about a day. Notices above
 * the limit of an organization are logged and not mailed.
 */
export function createNoticeMailer(options: NoticeMailerOptions): Worker {
  return createMailWorker(NOTICE_QUEUE, options, NOTICE_RETRY, (job) =>
    job.payload.memberId === undefined && job.payload.isCounted === undefined
      ? addressNotice(job, options)
      : sendNotice(job, options),
  );
}

/** Counts a notice and stores a job for each recipient, so that an owner who cannot be mailed delays no other. */
async function addressNotice(
  { payload }: LeasedJob,
  { storage, clock, ids, logger, mailLimits = DEFAULT_MAIL_LIMITS }: NoticeMailerOptions,
): Promise<JobOutcome> {
  const { organizationId = '', address } = payload;
  const mails = createMailCounter(clock, mailLimits);
  const to = recipientsOf(payload.to);
  const recipients =
    address === undefined
      ? await storage.listActiveMembers(organizationId, ROLE_OF[to], MAX_RECIPIENTS)
      : [];
  const payloads =
    address === undefined
      ? recipients.map(({ id }) => ({ ...payload, to, memberId: id }))
      : [{ ...payload, isCounted: 'true' }];
  return done(({ session }) =>
    storage.transaction({ session }, async (tx) => {
      const jobs: NewJob[] = [];
      for (const each of payloads) {
        if (!(await mails.allowsNotice(tx, organizationId, address))) {
          logger.warn('notices are not mailed', { organization_id: organizationId });
          break;
        }
        jobs.push(noticeJob(ids, clock.now(), { ...each, organizationId }));
      }
      await tx.enqueueJobs(jobs);
    }),
  );
}

async function sendNotice(
  { id, payload }: LeasedJob,
  { storage, mailer, baseUrl }: NoticeMailerOptions,
): Promise<JobOutcome> {
  const { organizationId = '', memberId = '', address, subject = '', text = '' } = payload;
  const to = recipientsOf(payload.to);
  const member = address === undefined ? await storage.findMember(organizationId, memberId) : null;
  const organization = await storage.findOrganization(organizationId);
  const isRecipient = member?.role === ROLE_OF[to] && member.status === 'active';
  const recipient = address ?? (isRecipient ? member.email : undefined);
  if (!organization || recipient === undefined) return done();
  const relation =
    address === undefined ? `as an ${ROLE_OF[to]}` : 'as a former address of a member';
  const reason = `You get this mail ${relation} of ${toMailName(organization.name)} on Probity, ${baseUrl()}.`;
  try {
    await mailer.send({ id, to: recipient, subject, text: [text, '', reason, ''].join('\n') });
  } catch (cause) {
    const name = address === undefined ? memberId : 'a former address of a member';
    throw new Error(`A notice to ${name} could not be mailed`, { cause });
  }
  return done();
}

/** Jobs that were stored before there were notices to admins name nobody. */
function recipientsOf(to: string | undefined): keyof typeof ROLE_OF {
  return to === 'admins' ? to : 'owners';
}

/** Notices of one organization share a group. */
function noticeJob(
  ids: Ids,
  dueAt: Date,
  payload: NewJob['payload'] & { readonly organizationId: string },
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
