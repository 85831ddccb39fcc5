import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { describe, it } from 'node:test';
import type { SealedValues, SecretBox } from '@probity/core';
import { createSecretBox, OUTSIDE_REQUEST, systemClock } from '@probity/core';
import {
  createKeyFile,
  resealAll,
  rotateKeyFile,
  sealingKeyOf,
  settleEncryptionKeys,
  toKeyId,
} from '@probity/core/internal';
import type { SqlDatabase } from '@probity/core/sql';
import { createSqlSealingKeys } from '@probity/core/sql';
import { temporaryFolder } from '@probity/test-support';
import { invitationPurpose, sealedInvitationTokens } from '../../src/members/issue.ts';
import { createSqlPlatformStorage } from '../../src/sql.ts';
import type { PlatformStorage } from '../../src/storage.ts';
import { newInvitation } from '../../src/testing/member-records.ts';
import { newMember, newOrganization } from '../../src/testing/records.ts';
import { sqlTargets } from '../support.ts';

const KILLED = new Error('killed');

async function openWorld(t: TestContext, target: (typeof sqlTargets)[number]) {
  const opened = await target.open();
  t.after(opened.dispose);
  const database = opened.database as SqlDatabase;
  const { storage } = opened;
  const organization = newOrganization();
  const member = newMember(organization.id);
  await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
    await tx.insertOrganization(organization);
    await tx.insertMember(member);
  });
  const insert = async (secretBox: SecretBox, id: string) => {
    const sealedToken = secretBox.seal(`token of ${id}`, invitationPurpose(id));
    await storage.transaction(OUTSIDE_REQUEST, (tx) =>
      tx.insertInvitation(newInvitation(member, { id, sealedToken })),
    );
  };
  const keyFile = createKeyFile(join(temporaryFolder(t).path, 'a.key'));
  keyFile.create();
  const sealingKeys = createSqlSealingKeys(database);
  const dependencies = {
    sealingKeys,
    values: [sealedInvitationTokens(storage)],
    clock: systemClock,
    batchSize: 2,
  };
  const settings = { configured: null, clock: systemClock, remedy: 'find it', sealingKeys };
  return {
    ...{ opened, database, storage, member, insert, keyFile, sealingKeys, dependencies },
    settle: () => settleEncryptionKeys({ ...settings, keyFile: createKeyFile(keyFile.path) }),
    settleWith: (...configured: Uint8Array[]) =>
      settleEncryptionKeys({ ...settings, configured, keyFile: null }),
  };
}

/** Every opened token, and the ids of the keys that seal them. */
async function readAll(storage: PlatformStorage, secretBox: SecretBox) {
  const values = await storage.listSealedInvitations('00000000', '', 1_000);
  const texts = values.map(({ id, sealed }) => secretBox.open(sealed, invitationPurpose(id)));
  assert.deepEqual(
    texts,
    values.map(({ id }) => `token of ${id}`),
  );
  return {
    count: values.length,
    keyIds: [...new Set(values.map(({ sealed }) => sealingKeyOf(sealed)))],
  };
}

/** Sealed values whose n-th call fails, as a kill -9 would. */
function killAt(call: number, values: SealedValues): SealedValues {
  let calls = 0;
  const count = () => {
    calls += 1;
    if (calls === call) throw KILLED;
  };
  return {
    ...values,
    async list(...args) {
      count();
      return values.list(...args);
    },
    async replace(...args) {
      count();
      await values.replace(...args);
    },
  };
}

for (const target of sqlTargets) {
  describe(`key rotation on ${target.name}`, { concurrency: true }, () => {
    it('key rotation reseals everything under a new key and deletes the old one', async (t) => {
      const world = await openWorld(t, target);
      const running = await world.settle();
      for (let index = 0; index < 5; index += 1) await world.insert(running, `inv_${index}`);
      const oldKeys = world.keyFile.read() ?? [];
      const oldKeyId = running.keyId;
      const report = await rotateKeyFile({ ...world.dependencies, ...world });
      assert.deepEqual(report.resealed, { invitation_tokens: 5 });
      assert.deepEqual(report.retiredKeyIds, [oldKeyId]);
      assert.deepEqual(world.keyFile.read()?.map(toKeyId), [report.keyId]);
      assert.deepEqual(await readAll(world.storage, running), { count: 5, keyIds: [report.keyId] });
      await world.insert(running, 'inv_later');
      await readAll(world.storage, await world.settle());
      await assert.rejects(world.settleWith(...oldKeys), /sealed under .*find it/);
    });

    it('a start with the old key does not undo a rotation that ends meanwhile', async (t) => {
      const world = await openWorld(t, target);
      const running = await world.settle();
      await world.insert(running, 'inv_1');
      const configured = world.keyFile.read() ?? [];
      let keyId = '';
      const rotate = async () => {
        ({ keyId } = await rotateKeyFile({ ...world.dependencies, ...world }));
      };
      const { sealingKeys } = world;
      const starting = settleEncryptionKeys({
        ...{ configured, keyFile: null, clock: systemClock, remedy: 'find it' },
        sealingKeys: {
          ...sealingKeys,
          register: (...given) => rotate().then(() => sealingKeys.register(...given)),
          registerComplete: (...given) =>
            rotate().then(() => sealingKeys.registerComplete(...given)),
        },
      });
      await assert.rejects(starting, /sealed under .*find it/);
      assert.deepEqual(await sealingKeys.list(), [keyId]);
      await assert.rejects(world.insert(createSecretBox(configured), 'inv_2'), {
        kind: 'unavailable',
      });
    });

    it('an interrupted key rotation resumes at any point', async (t) => {
      const world = await openWorld(t, target);
      const box = await world.settle();
      for (let index = 0; index < 5; index += 1) await world.insert(box, `inv_${index}`);
      const [values] = world.dependencies.values as [SealedValues];
      const { database, keyFile } = world;
      let kills = 0;
      for (let call = 1; ; call += 1) {
        const before = keyFile.read();
        const dependencies = {
          ...world.dependencies,
          database,
          keyFile,
          values: [killAt(call, values)],
        };
        const killed = await rotateKeyFile(dependencies).then(
          () => false,
          (error) => assert.equal(error, KILLED) ?? true,
        );
        if (!killed) break;
        kills += 1;
        assert.equal(keyFile.read()?.length, 2);
        await readAll(world.storage, await world.settle());
        await rotateKeyFile({ ...world.dependencies, ...world });
        assert.equal(keyFile.read()?.length, 1);
        assert.equal(keyFile.read()?.[0] === before?.[0], false);
        await readAll(world.storage, await world.settle());
      }
      assert.ok(kills >= 5, `${kills}`);
    });

    it('key rotation loses no value that a server seals concurrently, even under the old key', async (t) => {
      const world = await openWorld(t, target);
      await world.settle();
      // Never rereads the file: the slowest possible server.
      const stale = createSecretBox(world.keyFile.read() ?? []);
      let isOver = false;
      let stored = 0;
      let refused = 0;
      const write = async (name: string) => {
        // The last one begins after the rotation has ended.
        for (let index = 0, isLast = false; !isLast; index += 1) {
          isLast = isOver;
          const outcome = await world.insert(stale, `inv_${name}_${index}`).then(
            () => 'stored',
            (error) => error.kind,
          );
          if (outcome === 'stored') stored += 1;
          else refused += 1;
          assert.ok(outcome === 'stored' || outcome === 'unavailable', outcome);
        }
      };
      const writers = ['a', 'b', 'c'].map(write);
      const database = (world.opened.openAnother() ?? world.database) as SqlDatabase;
      const values = [sealedInvitationTokens(createSqlPlatformStorage(database))];
      const sealingKeys = createSqlSealingKeys(database);
      const own = { clock: systemClock, keyFile: world.keyFile, database, values, sealingKeys };
      const { keyId } = await rotateKeyFile(own);
      isOver = true;
      await Promise.all(writers);
      const found = await readAll(world.storage, await world.settle());
      assert.deepEqual(found.keyIds, stored > 0 ? [keyId] : []);
      assert.equal(found.count, stored);
      assert.ok(refused > 0);
    });

    it('key rotation keeps the old key while a value opens under no key, and names the value', async (t) => {
      const world = await openWorld(t, target);
      await world.insert(await world.settle(), 'inv_good');
      await world.insert(createSecretBox([randomBytes(32)]), 'inv_foreign');
      const rotation = rotateKeyFile({ ...world.dependencies, ...world });
      await assert.rejects(rotation, /1 sealed values .*\(invitation:inv_foreign\)/);
      assert.equal(world.keyFile.read()?.length, 2);
      assert.equal((await world.sealingKeys.list()).length, 2);
    });

    it('rotation of configured keys moves to the first key, and starts only with all keys in use', async (t) => {
      const world = await openWorld(t, target);
      const [old, fresh] = [randomBytes(32), randomBytes(32)];
      await world.insert(await world.settleWith(old), 'inv_1');
      await assert.rejects(world.settleWith(fresh), /not under/);
      const both = await world.settleWith(fresh, old);
      const report = await resealAll({ ...world.dependencies, secretBox: both });
      assert.deepEqual(report.retiredKeyIds, [toKeyId(old)]);
      const again = await resealAll({ ...world.dependencies, secretBox: both });
      assert.deepEqual([again.resealed, again.retiredKeyIds], [{ invitation_tokens: 0 }, []]);
      await readAll(world.storage, await world.settleWith(fresh));
      await assert.rejects(world.settleWith(old), /sealed under .*, not under/);
    });
  });
}
