import type { GroupDocumentation } from '@probity/core/koa';
import { examples } from './examples.generated.ts';

/** Documentation of the SCIM endpoints. */
export const scimDocumentation: GroupDocumentation = {
  examples,
  tags: {
    SCIM:
      'Users and groups of identity providers (RFC 7643, 7644 and 9865). The credential is a SCIM token of the ' +
      'organization.',
  },
};
