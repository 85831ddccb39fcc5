import { createMemorySignInStorage } from '../../src/sign-in/memory.ts';
import type { Passwords } from '../../src/sign-in/passwords.ts';
import { createPasswords } from '../../src/sign-in/passwords.ts';
import { createSqlSignInStorage } from '../../src/sign-in/sql/storage.ts';
import type { SignInStorage } from '../../src/sign-in/storage.ts';
import type { OpenedDatabase } from '../members/storages.ts';

/** Sign-in on a test database. */
export function signInStorageOf(opened: OpenedDatabase): SignInStorage {
  return opened.kind === 'memory'
    ? createMemorySignInStorage(opened.database)
    : createSqlSignInStorage(opened.database);
}

/** The same hashing at a cost that tests can pay. */
export function testPasswords(): Passwords {
  return createPasswords({ cost: { logN: 4, r: 8, p: 1 } });
}
