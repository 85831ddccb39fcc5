import type { CallContext, Runtime, SystemActor } from '@probity/core';
import { OUTSIDE_REQUEST } from '@probity/core';

import { RemoteFailure } from '../remote/failure.ts';
import type { IntegrationsStorage, IntegrationsTransaction } from '../storage.ts';
import type { Integration } from './types.ts';

/** Who caused a call to the system. */
type Cause = CallContext | SystemActor;

/** Keeps the status of integrations by what their systems answer; each change is in the audit log. */
export interface Standing {
  /** The system has answered. */
  succeeded(tx: IntegrationsTransaction, by: Cause, integration: Integration): Promise<void>;
  /** A call has failed; only a refusal changes the status, in a transaction of its own. */
  failed(by: Cause, integration: Integration, error: unknown): Promise<void>;
}

/** Creates the keeper. */
export function createStanding(
  { audit, clock, logger }: Runtime,
  { storage }: { readonly storage: IntegrationsStorage },
): Standing {
  return {
    async succeeded(tx, by, { id, organizationId, status }) {
      if (status === 'connected') return;
      const recovered = { status: 'connected', lastError: null, lastErrorAt: null } as const;
      const updated = await tx.updateIntegration(organizationId, id, recovered);
      if (!updated) return;
      const change = { before: { status }, after: { status: 'connected' } };
      await audit.record(tx, by, 'integration.recovered', { type: 'integration', id }, change);
    },
    async failed(by, { id, organizationId }, error) {
      if (!isRefusal(error)) return;
      const { message } = error;
      // Not in the request's own transaction, which an error undoes.
      await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
        const before = await tx.findIntegration(organizationId, id);
        if (!before) return;
        const failing = {
          status: 'failing',
          lastError: message,
          lastErrorAt: clock.now(),
        } as const;
        await tx.updateIntegration(organizationId, id, failing);
        if (before.status === 'failing') return;
        const change = { before: { status: before.status }, after: { status: 'failing', message } };
        await audit.record(tx, by, 'integration.failing', { type: 'integration', id }, change);
        tx.session.afterCommit(() => {
          const names = { organization_id: organizationId, integration_id: id };
          logger.warn('an integration is failing', { ...names, reason: message });
        });
      });
    },
  };
}

function isRefusal(error: unknown): error is RemoteFailure {
  if (!(error instanceof RemoteFailure)) return false;
  return error.kind === 'refused' || error.kind === 'rejected';
}
