import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isWellFormedToken } from '@probity/core/internal';
import { withDatabase } from '@probity/core/testing';
import { sampleTargets } from '@probity/test-support/combinations';
import fc from 'fast-check';
import { createApiKeyAuthentication } from '../../src/credentials/authentication.ts';
import {
  bootstrapFirstOrganization,
  bootstrapOrganization,
} from '../../src/organizations/bootstrap.ts';
import { toSlug } from '../../src/organizations/slugs.ts';
import { createSqlPlatformStorage } from '../../src/sql.ts';
import { targets, testRuntime } from '../support.ts';

const input = { organizationName: 'Acme', ownerEmail: 'owner@example.com', plan: 'free' } as const;

for (const target of sampleTargets(targets)) {
  describe(`${target.name}: bootstrap`, () => {
    test('bootstrap creates an organization with an active owner whose API key works', () =>
      withDatabase(target, async ({ database, storage }) => {
        const runtime = testRuntime({ database });
        const result = await bootstrapOrganization(runtime, { storage }, input);
        const principal = await createApiKeyAuthentication(runtime, { storage })({
          token: result.apiKey,
          address: null,
        });
        assert.equal(principal?.role, 'owner');
        assert.equal(principal?.organizationId, result.organizationId);
        assert.equal(principal?.plan, 'free');
        const owner = await storage.findMember(result.organizationId, result.ownerId);
        assert.deepEqual([owner?.email, owner?.status], ['owner@example.com', 'active']);
        assert.ok(isWellFormedToken('psc_', result.scimToken));
      }));

    test('bootstrapping two organizations with one name gives them different slugs', () =>
      withDatabase(target, async ({ database, storage }) => {
        const runtime = testRuntime({ database });
        const slugs = [];
        for (let index = 0; index < 3; index += 1) {
          const { organizationId } = await bootstrapOrganization(runtime, { storage }, input);
          slugs.push((await storage.findOrganization(organizationId))?.slug);
        }
        assert.equal(slugs[0], 'acme');
        assert.match(slugs[1] ?? '', /^acme-[0-9a-f]{12}$/);
        assert.equal(new Set(slugs).size, 3);
      }));

    test('the first organization is bootstrapped once', () =>
      withDatabase(target, async ({ database, storage }) => {
        const runtime = testRuntime({ database });
        assert.ok(await bootstrapFirstOrganization(runtime, { storage }, input));
        assert.equal(await bootstrapFirstOrganization(runtime, { storage }, input), null);
        assert.equal(await storage.countOrganizations(), 1);
      }));
  });
}

for (const target of targets.filter(({ name }) => name === 'sqlite')) {
  test('of several concurrent starts on one SQLite file exactly one creates the organization', async (t) => {
    const opened = await target.open();
    t.after(opened.dispose);
    assert.ok(opened.kind === 'sql');
    const another = opened.openAnother();
    assert.ok(another);
    const connections = [opened.database, another, opened.database, another];
    const results = await Promise.all(
      connections.map((database) => {
        const storage = createSqlPlatformStorage(database);
        return bootstrapFirstOrganization(testRuntime({ database }), { storage }, input);
      }),
    );
    assert.equal(results.filter((result) => result !== null).length, 1);
    assert.equal(await opened.storage.countOrganizations(), 1);
  });
}

const slugs: ReadonlyArray<readonly [string, string]> = [
  ['Acme Corp.', 'acme-corp'],
  ['  --Über GmbH & Co--  ', 'uber-gmbh-co'],
  ['日本語', 'organization'],
  ['', 'organization'],
  ['x'.repeat(100), 'x'.repeat(48)],
];

for (const [name, slug] of slugs) {
  test(`the slug of "${name.slice(0, 30)}" is ${slug.slice(0, 20)}`, () => {
    assert.equal(toSlug(name), slug);
  });
}

test('any organization name gives a slug of letters, digits and single hyphens', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (name) => {
      const slug = toSlug(name);
      assert.match(slug, /^[a-z0-9]+(-[a-z0-9]+)*$/);
      assert.ok(slug.length <= 48);
      assert.equal(toSlug(slug), slug);
    }),
  );
});
