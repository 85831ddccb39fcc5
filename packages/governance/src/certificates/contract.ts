import assert from 'node:assert/strict';
import { OUTSIDE_REQUEST } from '@probity/core';
import type { OpenedStorage, PromiseCheck } from '@probity/core/testing';
import { certificateFixture } from '../fixtures.ts';
import type { CertificateStorage } from './storage.ts';
import type { Certificate, CertificateFilter } from './types.ts';

type Opened = OpenedStorage<CertificateStorage>;

/** Contract checks of a storage for certificates, by test title. */
export const certificatePromises: Readonly<Record<string, PromiseCheck<CertificateStorage>>> = {
  'a certificate is read back unchanged, revoked or not, with its nuggets': readsBack,
  "another organization's certificate is found by its id in public only": hides,
  'a certificate is not found in public from the removal of its organization on': ends,
  'certificates are listed newest first, in pages, by content, nugget and state': lists,
  'a certificate is revoked by its own organization, and of many callers by one': revokesOnce,
  'a failed transaction stores no certificate': rollsBack,
};

function insert(storage: CertificateStorage, ...certificates: Certificate[]): Promise<void> {
  return storage.transaction(OUTSIDE_REQUEST, async (tx) => {
    for (const certificate of certificates) await tx.insertCertificate(certificate);
  });
}

const REVOCATION = {
  at: new Date('2026-02-03T04:05:06.789Z'),
  reason: 'Der Text ist überholt.\n„ä"',
  memberId: 'mem_other',
};

async function readsBack({ storage, createTenant, openAnother }: Opened): Promise<void> {
  const organizationId = await createTenant();
  const valid = certificateFixture({ id: 'crt_1', organizationId });
  const bare = certificateFixture({ id: 'crt_3', organizationId, nuggets: [] });
  const revoked = certificateFixture({ id: 'crt_2', organizationId, revocation: REVOCATION });
  await insert(storage, valid, revoked, bare);
  const reader = openAnother() ?? storage;
  for (const certificate of [valid, revoked, bare]) {
    const { id } = certificate;
    assert.deepEqual(await reader.findCertificate(organizationId, id), certificate);
    assert.deepEqual(await reader.findPublicCertificate(id), certificate);
  }
}

async function hides({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const certificate = certificateFixture({ id: 'crt_1', organizationId: other });
  await insert(storage, certificate);
  assert.equal(await storage.findCertificate(own, 'crt_1'), null);
  assert.deepEqual(await storage.findPublicCertificate('crt_1'), certificate);
  assert.equal(await storage.findPublicCertificate('crt_none'), null);
  const page = { limit: 50, offset: 0 };
  for (const filter of [{}, { nuggetId: 'nug_1' }, { contentHash: certificate.contentHash }]) {
    const listed = await storage.listCertificates(own, filter, page, new Date());
    assert.deepEqual(listed, { items: [], total: 0 });
  }
}

async function lists({ storage, createTenant }: Opened): Promise<void> {
  const organizationId = await createTenant();
  const day = (number: number) => new Date(Date.UTC(2026, 0, number));
  const certificate = (number: number, at: number, changes: Partial<Certificate> = {}) =>
    certificateFixture({
      ...{ id: `crt_${number}`, organizationId, issuedAt: day(at) },
      ...changes,
    });
  const now = day(20);
  const other = { contentHash: 'b'.repeat(64) };
  const nuggets = [{ id: 'nug_other', version: 3 }];
  await insert(
    storage,
    certificate(2, 2),
    certificate(4, 2, { nuggets }),
    certificate(1, 1, { ...other, revocation: REVOCATION }),
    certificate(3, 2, other),
    certificate(5, 3, { ...other, nuggets, expiresAt: now }),
  );
  const expected: ReadonlyArray<[CertificateFilter, readonly number[]]> = [
    [{}, [5, 4, 3, 2, 1]],
    [other, [5, 3, 1]],
    [{ nuggetId: 'nug_other' }, [5, 4]],
    [{ nuggetId: 'nug_1' }, [3, 2, 1]],
    [{ nuggetId: 'nug_1', ...other }, [3, 1]],
    [{ nuggetId: 'nug_none' }, []],
    [{ state: 'valid' }, [4, 3, 2]],
    [{ state: 'expired' }, [5]],
    [{ state: 'revoked' }, [1]],
    [{ state: 'valid', ...other }, [3]],
    [{ state: 'valid', nuggetId: 'nug_other' }, [4]],
    [{ state: 'expired', nuggetId: 'nug_other' }, [5]],
    [{ state: 'revoked', nuggetId: 'nug_1' }, [1]],
  ];
  for (const [filter, numbers] of expected) {
    const page = (limit: number, offset: number) =>
      storage.listCertificates(organizationId, filter, { limit, offset }, now);
    const [first, rest] = [await page(2, 0), await page(50, 2)];
    const found = [...first.items, ...rest.items];
    assert.deepEqual(
      found.map(({ id }) => id),
      numbers.map((number) => `crt_${number}`),
      JSON.stringify(filter),
    );
    assert.deepEqual([first.total, rest.total], [numbers.length, numbers.length]);
    for (const each of found) {
      assert.deepEqual(each, await storage.findCertificate(organizationId, each.id));
    }
  }
}

async function revokesOnce({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const certificate = certificateFixture({ id: 'crt_1', organizationId: own });
  await insert(storage, certificate, certificateFixture({ id: 'crt_2', organizationId: own }));
  const revoke = (organizationId: string, reason: string) =>
    storage.transaction(OUTSIDE_REQUEST, (tx) =>
      tx.revokeCertificate(organizationId, 'crt_1', { ...REVOCATION, reason }),
    );
  assert.equal(await revoke(other, 'not mine'), false);
  const reasons = ['one', 'two', 'three', 'four'];
  const answers = await Promise.all(reasons.map((reason) => revoke(own, reason)));
  assert.equal(answers.filter(Boolean).length, 1);
  const reason = reasons[answers.indexOf(true)] as string;
  const revocation = { ...REVOCATION, reason };
  assert.deepEqual(await storage.findPublicCertificate('crt_1'), { ...certificate, revocation });
  assert.equal(await revoke(own, 'again'), false);
  assert.equal((await storage.findPublicCertificate('crt_2'))?.revocation, null);
}

async function ends({ storage, createTenant }: Opened): Promise<void> {
  const [gone, kept] = [await createTenant(), await createTenant()];
  await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
    await tx.insertCertificate(certificateFixture({ id: 'crt_1', organizationId: gone }));
    await tx.insertCertificate(certificateFixture({ id: 'crt_2', organizationId: kept }));
  });
  await storage.transaction(OUTSIDE_REQUEST, (tx) => tx.markTenantRemoved(gone, new Date()));
  assert.equal(await storage.findPublicCertificate('crt_1'), null);
  assert.equal((await storage.findPublicCertificate('crt_2'))?.id, 'crt_2');
}

async function rollsBack({ storage, createTenant }: Opened): Promise<void> {
  const organizationId = await createTenant();
  const failing = storage.transaction(OUTSIDE_REQUEST, async (tx) => {
    await tx.insertCertificate(certificateFixture({ id: 'crt_1', organizationId }));
    throw new Error('on purpose');
  });
  await assert.rejects(failing, /on purpose/);
  assert.equal(await storage.findPublicCertificate('crt_1'), null);
}
