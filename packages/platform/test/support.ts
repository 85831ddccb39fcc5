import { fileURLToPath } from 'node:url';
import type { Runtime, RuntimeOptions, SecretBox } from '@probity/core';
import { createRuntime, createSecretBox } from '@probity/core';
import { createPreparedDatabase, temporaryRoot } from '@probity/test-support';
import type { Passwords } from '../src/sign-in/passwords.ts';
import { createPasswords } from '../src/sign-in/passwords.ts';
import type { PlatformTarget } from '../src/testing/targets.ts';
import { platformTargets } from '../src/testing/targets.ts';

/** Base URL of the links that services under test create. */
export const BASE_URL = 'https://probity.example.com';

/** Memory, SQLite and PostgreSQL with the tables of the platform. */
export const targets: readonly PlatformTarget[] = platformTargets({
  createPostgres: createPreparedDatabase,
  sqliteFolder: temporaryRoot(),
});

/** The SQL targets. */
export const sqlTargets: readonly PlatformTarget[] = targets.filter(
  ({ name }) => name !== 'memory',
);

/** The SQL targets, with SQLite on disk: for tests that kill processes. */
export const diskTargets: readonly PlatformTarget[] = platformTargets({
  createPostgres: createPreparedDatabase,
  sqliteFolder: temporaryRoot('disk'),
}).filter(({ name }) => name !== 'memory');

/** Path of a compiled program of this folder's `programs`. */
export function programPath(name: string): string {
  return fileURLToPath(new URL(`./programs/${name}.js`, import.meta.url));
}

/** Seals under a fixed key known to all tests. */
export function testSecretBox(): SecretBox {
  return createSecretBox([new Uint8Array(32).fill(7)]);
}

/** A runtime with {@link testSecretBox}. */
export function testRuntime(options: RuntimeOptions): Runtime {
  return createRuntime({ secretBox: testSecretBox(), ...options });
}

/** Password hashing at a cost low enough for tests. */
export function testPasswords(): Passwords {
  return createPasswords({ cost: { logN: 4, r: 8, p: 1 } });
}
