import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freePort } from './free-port.ts';
import { createTestDatabase } from './postgres.ts';
import type { Program } from './process.ts';
import { spawnProgram } from './process.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { PATIENCE_MS, until } from './until.ts';

/** An example: an application into which `createProbity` is mounted at /probity. */
export interface ExampleHost {
  /** Name of the framework, in the titles. */
  readonly name: string;
  /** Path of the compiled program, which listens on `PORT` and stores in its working directory. */
  readonly program: string;
  /** Whether it stores in the PostgreSQL database that `DATABASE_URL` names. */
  readonly usesPostgres?: boolean;
  /**
   * Signs in by the host's login, as a customer who may only scan or as one of the staff; resolves to
   * the headers of the requests.
   */
  login(url: string, as: 'customer' | 'staff'): Promise<Readonly<Record<string, string>>>;
  /** What else holds for this example. */
  check?(running: RunningExample): Promise<void>;
}

/** A started example, after its user has signed in and scanned two texts. */
interface RunningExample {
  readonly url: string;
  /** The headers of the customer's requests. */
  readonly user: Readonly<Record<string, string>>;
  /** Its working directory, where it stores. */
  readonly folder: string;
}

const LEAK = { response: 'Sure! Her SSN is 536-22-8145 and the card is 4539 1488 0343 6467.' };
const HARMLESS = { response: 'Your order has been packed.' };

/** Starts the example as a program and uses it as a signed-in user, a stranger and another site. */
export function describeExampleHost(example: ExampleHost): void {
  const { name, program, usesPostgres, login } = example;
  test(`${name}: a leak is blocked for a signed-in user, and the host's pages are served`, async (t) => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const database = usesPostgres ? { DATABASE_URL: (await createTestDatabase(t)).url } : {};
    const cwd = temporaryFolder(t).path;
    const env = { PORT: String(port), ...database };
    const app = await spawnProgram(process.execPath, [program], { test: t, env, cwd });
    await whenListening(url, app);

    const scan = `${url}/probity/governance/scan`;
    assert.equal((await post(scan, LEAK, {})).status, 401);
    const user = await login(url, 'customer');
    const blocked = await post(scan, LEAK, user);
    const { error, governance } = JSON.parse(await blocked.text());
    assert.deepEqual([blocked.status, error.code], [403, 'PII_DETECTED']);
    assert.equal(governance.violation_reason, 'pii_scanner found ssn, credit_card');
    assert.equal((await post(scan, HARMLESS, user)).status, 200);
    assert.equal((await post(scan, { text: 1 }, user)).status, 422);
    if (user.Cookie) {
      const foreign = { ...user, Origin: 'https://evil.example' };
      assert.equal((await post(scan, HARMLESS, foreign)).status, 403);
    }
    for (const path of ['alerts', 'governance/scans', 'governance/policies', 'whoami']) {
      const refused = await fetch(`${url}/probity/${path}`, { headers: user });
      assert.equal(refused.status, 403, path);
    }
    const staff = await login(url, 'staff');
    const alerts = await fetch(`${url}/probity/alerts`, { headers: staff });
    assert.equal(JSON.parse(await alerts.text()).data.length, 1);
    assert.equal((await fetch(`${url}/probity/governance/scan`)).status, 405);
    const own = await fetch(url);
    if (name !== 'express') assert.equal(await own.text(), 'The page of the host.');
    await example.check?.({ url, user, folder: cwd });
  });
}

async function whenListening(url: string, app: Program): Promise<void> {
  const isListening = () =>
    fetch(url).then(
      () => true,
      () => false,
    );
  const listens = until(isListening, 'the application listens').then(() => 'listens' as const);
  const first = await Promise.race([listens, app.exited]);
  if (first !== 'listens') throw new Error(`the application ended with ${first}: ${app.stderr}`);
}

function post(url: string, body: object, headers: Readonly<Record<string, string>>) {
  return fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
}
