import assert from 'node:assert/strict';
import { aiSystemId, evidenceId } from './evidence-recipes.ts';
import { batchId, commentedAlertId, policyId, protectedTextId } from './governance-recipes.ts';
import { integrationId } from './integration-recipes.ts';
import { correctionId, importId, nuggetId } from './knowledge-recipes.ts';
import { makeScimResources } from './scim-recipes.ts';
import { certificateId } from './shield-recipes.ts';
import type { Bootstrapped } from './support.ts';
import { call, scanLeak, setPassword } from './support.ts';

/** An operation as the server's own document describes it. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly security: readonly unknown[];
  readonly requestBody?: unknown;
  readonly parameters: ReadonlyArray<{
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
  }>;
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
}

interface DocumentedResponse {
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>>;
}

interface PropertySchema {
  readonly type?: string;
  readonly format?: string;
  readonly items?: PropertySchema;
}

/** The part of a schema that tests use. */
export interface JsonSchema {
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly format?: string;
  readonly properties?: Readonly<Record<string, PropertySchema>>;
}

/** Every schema in a value of an OpenAPI document, with those that it refers to. */
export function* schemasIn(
  value: unknown,
  document: object,
  seen = new Set<unknown>(),
): Generator<JsonSchema> {
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  seen.add(value);
  yield value as JsonSchema;
  const { $ref } = value as { $ref?: string };
  // Members of SCIM resources have a member of this name, too.
  if ($ref !== undefined && !$ref.startsWith('#/')) return;
  const parts = $ref?.split('/').slice(1) ?? [];
  const target = parts.reduce<unknown>((part, name) => (part as Json)[name], document);
  for (const each of $ref ? [target] : Object.values(value)) yield* schemasIn(each, document, seen);
}

type Json = Record<string, unknown>;

/** Every operation of a server. */
export async function operationsOf(url: string): Promise<Operation[]> {
  const { body } = await call(`${url}/openapi.json`, null);
  const paths = Object.entries(body.paths) as Array<[string, Record<string, Operation>]>;
  return paths.flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ ...operation, method, path })),
  );
}

/** Parameters that name the same for every organization. */
const SAME_FOR_ALL: Readonly<Record<string, string>> = {
  schema_id: 'urn:ietf:params:scim:schemas:core:2.0:User',
  resource_type: 'User',
};

/** Names of the parameters in a path that name something of an organization. */
export function parametersOf(path: string): string[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return names.filter((name) => !(name in SAME_FOR_ALL));
}

/** Whether an operation can succeed; `/Me` of SCIM cannot. */
export function canSucceed({ responses }: Operation): boolean {
  return Object.keys(responses).some((status) => status.startsWith('2'));
}

/** The credential that an operation takes: signing in and SCIM take no API key. */
export function credentialOf(
  { tags }: Pick<Operation, 'tags'>,
  owner: Pick<Bootstrapped, 'api_key' | 'scim_token'>,
  identifiers: { readonly access_token: string },
): string {
  if (tags.includes('SCIM')) return owner.scim_token;
  return tags.includes('Signing in') ? identifiers.access_token : owner.api_key;
}

/** Queries without which an operation refuses a call, by its path. */
const REQUIRED_QUERIES: Readonly<Record<string, string>> = {
  '/api/v1/knowledge/nuggets/search': '?q=water',
};

/** A target with a query beside the one that it may have. */
export function withQuery(target: string, query: string): string {
  return `${target}${target.includes('?') ? '&' : '?'}${query}`;
}

/** The path with identifiers in place of its parameters, and the query that it needs. */
export function fill(path: string, identifiers: Readonly<Record<string, string>>): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const identifier = identifiers[name] ?? SAME_FOR_ALL[name];
    assert.ok(identifier, `nothing that {${name}} of ${path} could name is made by furnish()`);
    return identifier;
  });
  return filled + (REQUIRED_QUERIES[path] ?? '');
}

/**
 * Creates one resource for every path parameter; returns their ids by parameter, and an access token
 * of the owner, who has signed in.
 */
export async function furnish(
  url: string,
  owner: Bootstrapped,
): Promise<Record<string, string> & { readonly access_token: string }> {
  const { organization_id: id, api_key: key } = owner;
  const own = `${url}/v1/organizations/${id}`;
  const make = async (path: string, body: unknown) => (await call(path, key, 'POST', body)).body;
  const member = await make(`${own}/members`, { email: 'bob@acme.example', role: 'viewer' });
  const { invitations } = (await call(`${own}/invitations`, key)).body;
  const password = 'a long one of my own';
  await setPassword(url, owner, password);
  const credentials = { email: 'ann@acme.example', password, organization_id: id };
  const { access_token: token } = await make(`${url}/v1/auth/login`, credentials);
  const { sessions } = (await call(`${url}/v1/auth/sessions`, token)).body;
  const webhooks = `${url}/api/v1/webhooks`;
  const webhook = { url: 'https://8.8.8.8/hook', events: ['certification.revoked'] };
  const { id: webhookId } = (await make(webhooks, webhook)).data;
  await make(`${webhooks}/portal-tokens`, { capabilities: ['view'] });
  await scanLeak(url, key);
  const since = '2026-01-01T00:00:00.000Z';
  const { data: replay } = await make(`${webhooks}/${webhookId}/replay`, { since });
  const scim = await makeScimResources({ url, scimToken: owner.scim_token });
  return {
    access_token: token,
    ai_system_id: await aiSystemId({ url, key }),
    evidence_id: await evidenceId({ url, key }),
    policy_id: await policyId({ url, key }),
    batch_id: await batchId({ url, key }),
    protected_text_id: await protectedTextId({ url, key }),
    nugget_id: await nuggetId({ url, key }),
    certificate_id: await certificateId({ url, key }),
    correction_id: await correctionId({ url, key }),
    import_id: await importId({ url, key }),
    integration_id: await integrationId({ url, key }),
    scim_user_id: scim.userId,
    scim_group_id: scim.groupId,
    org_id: id,
    user_id: member.id,
    invitation_id: invitations[0].id,
    key_id: (await make(`${own}/api-keys`, { name: 'CI' })).id,
    session_id: sessions[0].id,
    webhook_id: webhookId,
    replay_id: replay.id,
    delivery_id: (await make(`${webhooks}/${webhookId}/test`, undefined)).data.id,
    event_id: (await call(`${url}/api/v1/events`, key)).body.data[0].id,
    scan_id: (await call(`${url}/api/v1/governance/scans`, key)).body.data[0].id,
    alert_id: await commentedAlertId({ url, key }),
  };
}
