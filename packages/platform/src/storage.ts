import type { Storage } from '@probity/core';
import type {
  InvoiceReads,
  InvoiceWrites,
  SubscriptionReads,
  SubscriptionWrites,
} from './billing/storage.ts';
import type {
  ApiKeyReads,
  ApiKeyWrites,
  ScimTokenReads,
  ScimTokenWrites,
} from './credentials/storage.ts';
import type { MailCountReads, MailCountWrites } from './mails/storage.ts';
import type {
  InvitationReads,
  InvitationWrites,
  MemberReads,
  MemberWrites,
} from './members/storage.ts';
import type { OrganizationReads, OrganizationWrites } from './organizations/storage.ts';
import type { SignInReads, SignInWrites } from './sign-in/storage.ts';
import type { InstanceReads, InstanceWrites, UsageReads, UsageWrites } from './usage/storage.ts';

/** Reads of all platform resources. */
export type PlatformReads = OrganizationReads &
  MemberReads &
  InvitationReads &
  MailCountReads &
  ApiKeyReads &
  ScimTokenReads &
  SignInReads &
  SubscriptionReads &
  InvoiceReads &
  UsageReads &
  InstanceReads;

/** Writes of all platform resources. */
export type PlatformWrites = OrganizationWrites &
  MemberWrites &
  InvitationWrites &
  MailCountWrites &
  ApiKeyWrites &
  ScimTokenWrites &
  SignInWrites &
  SubscriptionWrites &
  InvoiceWrites &
  UsageWrites &
  InstanceWrites;

/** The platform's storage: the intersection of one reads and one writes interface per resource. */
export type PlatformStorage = Storage<PlatformReads, PlatformWrites>;
