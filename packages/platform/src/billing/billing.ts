import type { Clock, Ids, SecretBox } from '@probity/core';
import type { PlatformStorage } from '../organizations/storage.ts';
import type { Instances } from '../usage/instances.ts';
import { createInstances } from '../usage/instances.ts';
import type { QuotaMeter } from '../usage/quota-meter.ts';
import type { UsageStorage } from '../usage/storage.ts';
import type { Usage } from '../usage/usage.ts';
import { createUsage } from '../usage/usage.ts';
import { createInvoiceLinks } from './invoice-links.ts';
import type { InvoiceRenderer, Invoices } from './invoices.ts';
import { createInvoices } from './invoices.ts';
import type { Settlement } from './invoicing.ts';
import type { BillingStorage } from './storage.ts';
import type { Subscriptions } from './subscriptions.ts';
import { createSubscriptions } from './subscriptions.ts';

/** The services over plans: what is owed, and what is used. */
export interface Billing {
  readonly subscriptions: Subscriptions;
  readonly invoices: Invoices;
  readonly usage: Usage;
  readonly instances: Instances;
}

/** What a host brings for billing. */
export interface BillingOptions {
  readonly billingStorage: BillingStorage;
  readonly usageStorage: UsageStorage;
  /** This instance's meter, whose unspent units do not count as used; default none. */
  readonly meter?: QuotaMeter | undefined;
  /** Who says that an invoice is paid; default `on_issue`. */
  readonly settlement?: Settlement | undefined;
  /**
   * Draws invoices, such as `createInvoiceRenderer()` of `@probity/platform/pdf`; without it their
   * links answer 503.
   */
  readonly renderInvoice?: InvoiceRenderer | undefined;
}

/** What the services are built on. */
export interface BillingDependencies extends BillingOptions {
  readonly platform: PlatformStorage;
  /** From it the keys are derived that sign links to invoices. */
  readonly secretBox: SecretBox;
  readonly ids: Ids;
  readonly clock: Clock;
  /** Base of absolute addresses, without a slash at its end. */
  readonly baseUrl: () => string;
}

/** Creates the services over plans. */
export function createBilling(dependencies: BillingDependencies): Billing {
  const { billingStorage, usageStorage, platform, ids, clock, baseUrl } = dependencies;
  const { secretBox, meter, settlement = 'on_issue', renderInvoice } = dependencies;
  const usage = createUsage({ storage: usageStorage, clock, meter });
  return {
    usage,
    instances: createInstances({ storage: usageStorage, platform, ids, clock }),
    subscriptions: createSubscriptions({
      storage: billingStorage,
      platform,
      ids,
      clock,
      settlement,
      prepareFit: usage.prepareFit,
    }),
    invoices: createInvoices({
      storage: billingStorage,
      links: createInvoiceLinks(secretBox, clock),
      ids,
      clock,
      platformUrl: () => `${baseUrl()}/v1`,
      renderInvoice,
    }),
  };
}
