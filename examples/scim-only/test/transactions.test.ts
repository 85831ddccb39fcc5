import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OUTSIDE_REQUEST } from '@probity/core';
import { createPeople } from '../src/people.ts';
import { createPeopleStorage } from '../src/storage.ts';

function open() {
  const { db } = createPeople(':memory:');
  const insert = db.prepare('insert into people values (?, ?, ?, ?, ?, null)');
  insert.run('1', 'acme', 'ann@acme.example', 'Ann', 0);
  return { db, storage: createPeopleStorage(db) };
}

test('the application has transactions of its own while SCIM changes a person', async () => {
  const { db, storage } = open();
  await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
    const ann = await tx.findUser('acme', '1');
    assert.ok(ann);
    assert.equal(await tx.updateUser({ ...ann, version: 2, active: false }, ann), true);
    assert.equal((await tx.findUser('acme', '1'))?.active, false);
    assert.equal((await tx.findUserByName('acme', 'ANN@acme.example'))?.active, false);
    assert.equal(db.inTransaction, false);
    const rename = db.transaction(() => {
      db.exec("update people set name = 'Bob'");
      throw new Error('undone');
    });
    assert.throws(() => rename.immediate(), /undone/);
  });
  assert.equal((await storage.findUser('acme', '1'))?.active, false);
});

test('a person whom the application changes meanwhile is read again', async () => {
  const { db, storage } = open();
  let attempts = 0;
  await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
    attempts += 1;
    const ann = await tx.findUser('acme', '1');
    assert.ok(ann);
    if (attempts === 1) db.exec("update people set name = 'Ann Lee'");
    await tx.updateUser({ ...ann, version: 2, active: false }, ann);
  });
  const row = db.prepare('select name, disabled from people').get();
  assert.deepEqual([attempts, row], [2, { name: 'Ann Lee', disabled: 1 }]);
});

test('a name that the application gives meanwhile is refused', async () => {
  const { db, storage } = open();
  const adding = storage.transaction(OUTSIDE_REQUEST, async (tx) => {
    const ann = await tx.findUser('acme', '1');
    assert.ok(ann);
    const bob = { ...ann, id: '2', userName: 'bob@acme.example', version: 1 };
    const taking = "insert into people values ('3', 'acme', 'BOB@acme.example', 'Bob', 0, null)";
    await tx.insertUser(bob);
    db.exec(taking);
  });
  await assert.rejects(adding, { kind: 'already_exists' });
  assert.equal(await storage.countUsers('acme'), 2);
  assert.equal(db.inTransaction, false);
});
