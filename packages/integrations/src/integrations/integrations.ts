import type {
  AuditFields,
  CallContext,
  Page,
  PageOf,
  Runtime,
  TargetCheckOptions,
} from '@probity/core';
import { notFound, ProbityError } from '@probity/core';
import { changedFields, requireSecretBox, validate } from '@probity/core/internal';
import type { Remote } from '../remote/remote.ts';
import type { IntegrationsStorage, IntegrationsTransaction } from '../storage.ts';
import type { MicrosoftEndpoints } from './clients.ts';
import { secretPurpose } from './clients.ts';
import type { IntegrationChanges } from './input.ts';
import { integrationChanges, newChatops, newItsm } from './input.ts';
import { toRouting, toRoutingInput } from './routing.ts';
import type {
  Connection,
  Integration,
  IntegrationType,
  NewChatops,
  NewItsm,
  StoredChanges,
} from './types.ts';
import type { Verification } from './verification.ts';
import { createVerification } from './verification.ts';

/** The connections of an organization to external systems. */
export interface Integrations {
  /**
   * Connects ServiceNow, once it has issued a token, within 10 seconds.
   * @throws ProbityError `validation_failed` naming the fields that it refuses, or its address where it does not
   *   answer; `already_exists` when the organization has connected an ITSM system
   */
  connectItsm(context: CallContext, input: NewItsm): Promise<Integration>;
  /**
   * Connects Microsoft Teams, once Microsoft has issued a token, within 10 seconds.
   * @throws ProbityError as for `connectItsm`
   */
  connectChatops(context: CallContext, input: NewChatops): Promise<Integration>;
  /** Oldest first. */
  list(context: CallContext, page: Page): Promise<PageOf<Integration>>;
  /** @throws ProbityError `not_found` when the organization has no such integration */
  get(context: CallContext, id: string): Promise<Integration>;
  /**
   * Changes the routing, or the credentials, which are verified first.
   * @throws ProbityError `not_found`; `validation_failed` naming the member at fault
   */
  update(context: CallContext, id: string, changes: IntegrationChanges): Promise<Integration>;
  /**
   * Disconnects the system: alerts that wait are not sent, and the secret is deleted.
   * @throws ProbityError `not_found`
   */
  remove(context: CallContext, id: string): Promise<void>;
}

/** Dependencies of the service beside a runtime with a secret box. */
export interface IntegrationOptions {
  readonly storage: IntegrationsStorage;
  readonly remote: Remote;
  readonly microsoft: MicrosoftEndpoints;
  /** Addresses that may be called; the dialer of `remote` should have the same. */
  readonly targets: TargetCheckOptions;
}

/**
 * Creates the service.
 * @throws Error when the runtime has no secret box
 */
export function createIntegrations(runtime: Runtime, options: IntegrationOptions): Integrations {
  const { audit, clock } = runtime;
  const { storage } = options;
  const secretBox = requireSecretBox(runtime, 'integrations');
  const verification = createVerification(options);
  const connect = createConnect(runtime, options, verification);

  const changesOf = async (context: CallContext, id: string, changes: IntegrationChanges) => {
    const { client_id: clientId, client_secret: clientSecret } = changes;
    if (clientId === undefined && clientSecret === undefined) return {};
    const before = await storage.findConnection(context.principal.organizationId, id);
    if (!before) throw notFound('integration');
    const { sealedSecret } = before;
    const known = clientSecret ?? secretBox.open(sealedSecret, secretPurpose(id));
    await verification.verify({ ...before, clientId: clientId ?? before.clientId }, known, context);
    const recovered = { status: 'connected', lastError: null, lastErrorAt: null } as const;
    if (clientSecret === undefined) return { clientId, ...recovered };
    return { clientId, sealedSecret: secretBox.seal(known, secretPurpose(id)), ...recovered };
  };

  return {
    async connectItsm(context, input) {
      const { instance_url, client_id, client_secret } = validate(newItsm, input, 'input');
      const target = await verification.checkInstance(instance_url);
      return connect(context, { type: 'itsm', target, clientId: client_id }, client_secret);
    },
    async connectChatops(context, input) {
      const { tenant_id: target, client_id, client_secret } = validate(newChatops, input, 'input');
      return connect(context, { type: 'chatops', target, clientId: client_id }, client_secret);
    },
    list: ({ principal }, page) => storage.listIntegrations(principal.organizationId, page),
    async get({ principal }, id) {
      return requireIntegration(await storage.findIntegration(principal.organizationId, id));
    },

    async update(context, id, input) {
      const given = validate(integrationChanges, input, 'changes');
      const { organizationId } = context.principal;
      const credentials: StoredChanges = await changesOf(context, id, given);
      return storage.withTenantLock(context, organizationId, async (tx) => {
        const before = requireIntegration(await tx.findIntegration(organizationId, id));
        const { routing: input } = given;
        const routing = input && toRouting(input, before.type);
        const changes = { ...credentials, ...(routing === undefined ? {} : { routing }) };
        const stored = { ...changes, updatedAt: clock.now() };
        const after = requireIntegration(await tx.updateIntegration(organizationId, id, stored));
        const change = changedFields(auditFieldsOf(before), auditFieldsOf(after));
        const secret = given.client_secret === undefined ? {} : { client_secret: 'replaced' };
        const fields = { before: change.before, after: { ...change.after, ...secret } };
        if (Object.keys(fields.after).length > 0) {
          await audit.record(tx, context, 'integration.updated', targetOf(id), fields);
        }
        return after;
      });
    },

    async remove(context, id) {
      const { organizationId } = context.principal;
      await storage.withTenantLock(context, organizationId, async (tx) => {
        const integration = requireIntegration(await tx.findIntegration(organizationId, id));
        await tx.deleteIntegration(organizationId, id);
        const before = auditFieldsOf(integration);
        await audit.record(tx, context, 'integration.deleted', targetOf(id), { before });
      });
    },
  };
}

/** Stores a connection once it is verified. */
function createConnect(
  runtime: Runtime,
  { storage }: IntegrationOptions,
  { verify }: Verification,
) {
  const { audit, ids, clock } = runtime;
  const secretBox = requireSecretBox(runtime, 'integrations');
  return async (
    context: CallContext,
    facts: Pick<Connection, 'type' | 'target' | 'clientId'>,
    clientSecret: string,
  ): Promise<Integration> => {
    const { organizationId } = context.principal;
    // Also before the verification, which takes longer; the check under the lock decides. Within a transaction of the
    // host's, its only connection is not free for a read of ours.
    if (!context.unit) await requireNone(storage, organizationId, facts.type);
    await verify(facts, clientSecret, context);
    const id = ids.next('itg');
    const now = clock.now();
    const integration: Integration = {
      ...{ id, organizationId, ...facts, routing: null, status: 'connected' },
      ...{ lastError: null, lastErrorAt: null, createdAt: now, updatedAt: now },
    };
    const sealedSecret = secretBox.seal(clientSecret, secretPurpose(id));
    await runtime.tenants?.ensure(organizationId, context);
    await storage.withTenantLock(context, organizationId, async (tx) => {
      await requireNone(tx, organizationId, facts.type);
      await tx.insertIntegration({ ...integration, sealedSecret });
      const after = { ...auditFieldsOf(integration), client_secret: 'set' };
      await audit.record(tx, context, 'integration.created', targetOf(id), { after });
    });
    return integration;
  };
}

/** The fields of an integration in the audit log. */
function auditFieldsOf({ type, target, clientId, routing, status }: Integration): AuditFields {
  return { type, target, client_id: clientId, routing: routing && toRoutingInput(routing), status };
}

function targetOf(id: string) {
  return { type: 'integration', id };
}

async function requireNone(
  reads: Pick<IntegrationsTransaction, 'findConnectionOf'>,
  organizationId: string,
  type: IntegrationType,
): Promise<void> {
  const present = await reads.findConnectionOf(organizationId, type);
  if (!present) return;
  const message = `The organization has an integration of the type ${type}, ${present.id}: change its credentials with PATCH /integrations/${present.id}, or delete it first.`;
  throw new ProbityError('already_exists', message);
}

function requireIntegration(integration: Integration | null): Integration {
  if (!integration) throw notFound('integration');
  return integration;
}
