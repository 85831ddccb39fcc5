import type { CallContext } from '../context.ts';
import { notFound } from '../errors.ts';
import type { Page, PageOf } from '../paging.ts';
import type { PlatformStorage } from './storage.ts';
import type { OrganizationOverview } from './types.ts';

/** Organizations as their members see them. */
export interface Organizations {
  /** The organizations that the caller belongs to. */
  list(context: CallContext, page: Page): Promise<PageOf<OrganizationOverview>>;
  /** @throws ProbityError `not_found` for any organization but the caller's own */
  get(context: CallContext, id: string): Promise<OrganizationOverview>;
}

/** Creates the service over organizations. */
export function createOrganizations(storage: PlatformStorage): Organizations {
  async function get(context: CallContext, id: string): Promise<OrganizationOverview> {
    const isOwn = id === context.principal.organizationId;
    const organization = isOwn ? await storage.findOrganization(id) : null;
    if (!organization) throw notFound('organization');
    return organization;
  }
  return {
    get,
    async list(context, page) {
      const own = await get(context, context.principal.organizationId);
      return { items: [own].slice(page.offset, page.offset + page.limit), total: 1 };
    },
  };
}
