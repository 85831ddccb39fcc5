import type { BootstrapResult } from '@probity/platform';
import type { PlatformCapability } from '@probity/platform/koa';

/** Who owns the organization of a first start; changed later like any member. */
const FIRST_ORGANIZATION = {
  organizationName: 'My organization',
  ownerEmail: 'owner@example.com',
} as const;

/**
 * On an empty database, creates an organization and prints its secrets, this once and never
 * through the logger. Several processes that start together make one.
 */
export async function greetOnFirstRun(
  platform: Pick<PlatformCapability, 'bootstrapFirst'>,
  baseUrl: string,
  print: (text: string) => void,
): Promise<void> {
  const created = await platform.bootstrapFirst(FIRST_ORGANIZATION);
  if (created) print(greeting(created, baseUrl));
}

function greeting(created: BootstrapResult, baseUrl: string): string {
  return `
  Probity is running for the first time. These secrets are shown only once:

    organization    ${created.organizationId}
    owner API key   ${created.apiKey}
    SCIM token      ${created.scimToken}
    set a password  ${baseUrl}/password/reset?token=${created.setupToken}
                    within a week; or POST {token, password} to ${baseUrl}/v1/auth/password/reset

    dashboard       ${baseUrl}/dashboard/
    platform API    ${baseUrl}/v1
    general API     ${baseUrl}/api/v1
    SCIM            ${baseUrl}/scim/v2
    OpenAPI         ${baseUrl}/openapi.json
    API reference   ${baseUrl}/docs

  Try it:

    curl ${baseUrl}/api/v1/governance/scan \\
      -H 'Authorization: Bearer ${created.apiKey}' \\
      -H 'Content-Type: application/json' \\
      -d '{"response": "The customer is Ann Lee, SSN 536-22-8145."}'

`;
}
