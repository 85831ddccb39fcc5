import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scimErrors } from '@probity/core/koa';
import type { ScimType } from '../src/index.ts';
import { scimError } from '../src/index.ts';

const STATUSES: Readonly<Record<ScimType, string>> = {
  invalidFilter: '400',
  tooMany: '400',
  uniqueness: '409',
  mutability: '400',
  invalidSyntax: '400',
  invalidPath: '400',
  noTarget: '400',
  invalidValue: '400',
  invalidVers: '400',
  sensitive: '403',
  invalidCursor: '400',
  expiredCursor: '400',
  invalidCount: '400',
};

for (const [scimType, status] of Object.entries(STATUSES)) {
  test(`an error of type ${scimType} has the status ${status} and the form of RFC 7644`, () => {
    const error = scimError(scimType as ScimType, 'the detail');
    assert.equal(String(scimErrors.status(error)), status);
    assert.deepEqual(scimErrors.body(error, 'req_1'), {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status,
      scimType,
      detail: 'the detail',
    });
  });
}
