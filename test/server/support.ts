import { fileURLToPath } from 'node:url';
import type { BootstrappedOrganization } from '@probity/standalone/internal';
import { createOrganization } from '@probity/standalone/internal';
import type { HttpsReceiver, Program, TemporaryStorage, TestLifetime } from '@probity/test-support';
import { createTestDatabase, spawnProgram, temporaryFolder, until } from '@probity/test-support';
import type { RunningCommand } from './in-process.ts';
import { runInProcess } from './in-process.ts';

const PROGRAM = fileURLToPath(
  new URL('../../../packages/standalone/bin/probity-server.js', import.meta.url),
);
/** The key of every server and of `bootstrap`, unless a test chooses another. */
export const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64');

/** A response text that must be blocked: a social security number and a card number. */
export const LEAK = 'Her SSN is 536-22-8145 and the card is 4539 1488 0343 6467, as you asked.';

/** A database that does not exist yet, on SQLite or PostgreSQL. */
export interface EmptyDatabase {
  readonly name: 'sqlite' | 'postgres';
  /** On the disk when the test examines the files of a killed process. */
  create(test: TestLifetime, storage?: TemporaryStorage): Promise<string>;
}

export const emptyDatabases: readonly EmptyDatabase[] = [
  {
    name: 'sqlite',
    create: async (test, storage) => `sqlite:${temporaryFolder(test, storage).path}/probity.db`,
  },
  {
    name: 'postgres',
    async create(test) {
      const { url, drop } = await createTestDatabase();
      test.after(drop);
      return url;
    },
  },
];

/** Options of a server under test besides its database. */
export interface RunOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Options of a server in a process of its own. */
export interface ProcessOptions extends RunOptions {
  /** A local receiver that deliveries may reach: only a process can be told to trust it. */
  readonly receiver?: HttpsReceiver;
}

const ENVIRONMENT = {
  // Port 3000 may be in use.
  PROBITY_PORT: '0',
  PROBITY_METRICS_PORT: 'off',
  PROBITY_ENCRYPTION_KEY: ENCRYPTION_KEY,
  PROBITY_CHECK_REPLIES: 'on',
};

/** Runs `probity-server` with these arguments in this process. */
export function run(
  test: TestLifetime,
  args: readonly string[],
  env: RunOptions['env'] = {},
): RunningCommand {
  return runInProcess(test, args, { ...ENVIRONMENT, ...env });
}

/** Starts `probity-server` with these arguments in a process of its own, as a user does. */
export function spawnServer(
  test: TestLifetime,
  args: readonly string[],
  env: RunOptions['env'] = {},
  cwd?: string,
): Promise<Program> {
  return spawnProgram(process.execPath, [PROGRAM, ...args], {
    test,
    ...(cwd === undefined ? {} : { cwd }),
    env: { ...ENVIRONMENT, ...env },
  });
}

/** A running server and the address it is bound to. */
export interface RunningServer<Command extends RunningCommand = RunningCommand> {
  readonly program: Command;
  readonly url: string;
}

/** Starts a server in this process and resolves when it listens. */
export function serve(
  test: TestLifetime,
  database: string,
  { args = [], env = {} }: RunOptions = {},
): Promise<RunningServer> {
  return whenListening(run(test, serveArguments(database, args), { ...UNLIMITED, ...env }));
}

/** Starts a server in a process of its own, which a test can kill, and resolves when it listens. */
export async function serveProcess(
  test: TestLifetime,
  database: string,
  { args = [], env = {}, receiver }: ProcessOptions = {},
): Promise<RunningServer<Program>> {
  const trusted = receiver ? receiverEnvironment(receiver) : {};
  const variables = { ...UNLIMITED, ...trusted, ...env };
  return whenListening(await spawnServer(test, serveArguments(database, args), variables));
}

const UNLIMITED = { PROBITY_RATE_LIMITS: 'platform=100000/60,general=100000/60' };

function serveArguments(database: string, args: readonly string[]): string[] {
  return ['serve', '--port', '0', '--database', database, ...args];
}

async function whenListening<Command extends RunningCommand>(
  program: Command,
): Promise<RunningServer<Command>> {
  const line = await program.waitForLine(({ message }) => message === 'listening');
  return { program, url: String(line.url) };
}

/** Where nothing listens, so that deliveries fail at once. */
export const CLOSED = '127.0.0.1:9';

/** The value of `PROBITY_WEBHOOKS_EGRESS_ALLOW` for {@link CLOSED}. */
export const CLOSED_ALLOWED = CLOSED.replace(':', '/32:');

function receiverEnvironment(receiver: HttpsReceiver): Record<string, string> {
  return {
    PROBITY_WEBHOOKS_EGRESS_ALLOW: `127.0.0.1/32:${receiver.port},${CLOSED_ALLOWED}`,
    NODE_EXTRA_CA_CERTS: receiver.certificateFile(),
  };
}

export type Bootstrapped = BootstrappedOrganization;

const BOOTSTRAP = { organization: 'Acme', ownerEmail: 'ann@acme.example' };

/** Creates an organization like `bootstrap`, in this process: a program takes a second to start. */
export function bootstrap(
  database: string,
  plan = 'enterprise',
  env: Readonly<Record<string, string | undefined>> = { PROBITY_ENCRYPTION_KEY: ENCRYPTION_KEY },
): Promise<Bootstrapped> {
  return createOrganization({ ...BOOTSTRAP, database, plan }, env);
}

/** Runs the command `bootstrap` and returns its output. */
export async function runBootstrap(test: TestLifetime, database: string): Promise<Bootstrapped> {
  const program = await spawnServer(test, [
    ...['bootstrap', '--organization', BOOTSTRAP.organization],
    ...['--owner-email', BOOTSTRAP.ownerEmail, '--database', database, '--json'],
  ]);
  const code = await program.exited;
  if (code !== 0) throw new Error(`bootstrap ended with ${code}: ${program.stderr}`);
  return JSON.parse(program.stdout) as Bootstrapped;
}

/** A response with its parsed body. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: the assertions of tests state the shape
  readonly body: any;
}

/** Sends a request with a key. */
export async function call(
  url: string,
  key: string | null,
  method = 'GET',
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: {
      ...headers,
      ...(key ? { Authorization: `Bearer ${key}` } : {}),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: parseBody(response, text),
  };
}

function parseBody({ headers }: Response, text: string): unknown {
  if (text === '') return null;
  return headers.get('content-type')?.includes('json') ? JSON.parse(text) : text;
}

/** Sets the first password of a new organization's owner with the set-up token. */
export async function setPassword(
  url: string,
  { setup_url }: Pick<Bootstrapped, 'setup_url'>,
  password: string,
): Promise<void> {
  const token = new URL(setup_url).searchParams.get('token');
  const { status } = await call(`${url}/v1/auth/password/reset`, null, 'POST', { token, password });
  if (status !== 204) throw new Error(`the first password was refused with ${status}`);
}

/** Registers a webhook for the events of a blocked scan; returns its id and secret. */
export async function createWebhook(
  url: string,
  key: string,
  receiver: HttpsReceiver,
): Promise<{ id: string; secret: string }> {
  const webhook = { url: `${receiver.url}/hook`, events: ['alert.created', 'policy.violated'] };
  const create = () => call(`${url}/api/v1/webhooks`, key, 'POST', webhook);
  let answer = await create();
  // The server answers so while the encryption key is being replaced.
  if (answer.status === 503) {
    await until(async () => {
      answer = await create();
      return answer.status !== 503;
    }, 'the service is available');
  }
  const { status, body } = answer;
  if (status !== 201) throw new Error(`the webhook was refused: ${JSON.stringify(body)}`);
  return body.data;
}

/** Scans the leaking text; returns the whole response. */
export function scanLeak(url: string, key: string): Promise<Answer> {
  return call(`${url}/api/v1/governance/scan`, key, 'POST', { response: LEAK });
}
