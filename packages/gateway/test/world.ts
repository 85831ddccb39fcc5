import assert from 'node:assert/strict';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteFile } from '@probity/core/internal';
import type { TestLifetime } from '@probity/test-support';
import { temporaryFolder } from '@probity/test-support';
import type { StoredKey } from '../src/api-keys/key-file.ts';
import { hashKey, toKeyLine } from '../src/api-keys/key-file.ts';
import { readConfig } from '../src/config/read-config.ts';
import type { Gateway, GatewayOptions } from '../src/gateway.ts';
import { createGateway } from '../src/gateway.ts';

/** A log record. */
type LogRecord = Readonly<Record<string, unknown>>;

/** An answer over HTTP, with its body read. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, never>>;
}

/** A gateway with its folder, its keys and its log. */
export interface GatewayWorld {
  readonly gateway: Gateway;
  readonly folder: string;
  readonly file: string;
  readonly url: string;
  readonly metricsUrl: string | null;
  readonly grpcAddress: string;
  /** The key that `scan` sends. */
  readonly token: string;
  /** What was written to standard output, with the lines that would have waited for others. */
  readonly lines: readonly string[];
  records(): LogRecord[];
  /** Replaces the configuration file; the ports stay. */
  write(text: string): void;
  /** Adds a key. */
  addKey(key: Partial<StoredKey>): string;
  call(path: string, init?: RequestInit): Promise<Answer>;
  /** The rows of the audit table in `gateway.db`, when all that waits is written: the gateway is stopped for that. */
  stored(table?: string): Promise<StoredRow[]>;
  /** Scans with a key of the role member. */
  scan(body: object, headers?: Record<string, string>): Promise<Answer>;
  metrics(): Promise<string>;
}

/** A row of the audit table. */
export type StoredRow = Readonly<Record<string, never>>;

/** The rows of an audit table in a SQLite file, the oldest first. */
export function rowsOf(path: string, table = 'gateway_audit'): StoredRow[] {
  const database = openSqliteFile(path, 0);
  try {
    return database.prepare(`select * from "${table}" order by id`).all() as StoredRow[];
  } finally {
    database.close();
  }
}

/** Options of a world. */
export interface WorldOptions
  extends Partial<
    Pick<GatewayOptions, 'clock' | 'pipeline' | 'enableReload' | 'env' | 'upstream' | 'bodyBudget'>
  > {
  /** What chance gives, one after the other. */
  readonly random?: readonly number[];
  /** The API key that requests are sent with. */
  readonly key?: Partial<StoredKey>;
}

/** Free ports on the loopback interface, beside what a test configures. */
export const LOOPBACK =
  'server: {host: 127.0.0.1, port: 0, workers: 2}\nmonitoring: {prometheus: {port: 0}, health_check: {port: 0}}\n';

/** Starts a gateway in this process, which is stopped after the test. */
export async function startGateway(
  t: TestLifetime,
  text = '',
  options: WorldOptions = {},
): Promise<GatewayWorld> {
  const folder = temporaryFolder(t).path;
  const file = join(folder, 'gateway.yaml');
  const keysFile = join(folder, 'gateway-keys');
  const lines: string[] = [];
  const write = (next: string) => writeFileSync(file, withPorts(next));
  write(text);
  const { env = {} } = options;
  const { config, issues } = await readConfig(Buffer.from(withPorts(text)), env, folder);
  assert.ok(config, JSON.stringify(issues));
  let keys = 0;
  const addKey = (key: Partial<StoredKey>) => {
    const token = `pbk_${'x'.repeat(20)}${keys++}`;
    const stored = {
      hash: hashKey(token),
      name: `key-${keys}`,
      role: 'member',
      users: [],
      domains: [],
    } as const;
    appendFileSync(keysFile, toKeyLine({ ...stored, ...key }));
    return token;
  };
  const token = addKey({ name: 'app', ...options.key });
  const chances = options.random && [...options.random];
  const gateway = createGateway({
    ...{ file, config, issues, env, keysFile },
    enableReload: options.enableReload ?? false,
    clock: options.clock,
    pipeline: options.pipeline,
    random: chances && (() => chances.shift() ?? 1),
    upstream: options.upstream,
    bodyBudget: options.bodyBudget,
    write: (written) => void lines.push(...written.split('\n').filter(Boolean)),
  });
  const { url, metricsUrl, grpcAddress } = await gateway.start();
  t.after(() => gateway.stop());
  const written = () => {
    gateway.flushLog();
    return lines;
  };
  const call = async (path: string, init: RequestInit = {}): Promise<Answer> => {
    const response = await fetch(`${url}${path}`, init);
    const body = (await response.json()) as Answer['body'];
    return { status: response.status, headers: response.headers, body };
  };
  const stored = async (table?: string) => {
    await gateway.stop();
    return rowsOf(join(folder, 'gateway.db'), table);
  };
  return {
    ...{ stored, gateway, folder, file, url, metricsUrl, grpcAddress, token, write, addKey, call },
    get lines() {
      return written();
    },
    records: () => written().map((line) => JSON.parse(line) as LogRecord),
    scan: (body, headers = {}) =>
      call('/api/v1/governance/scan', {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${token}`,
          'Content-Type': 'application/json',
          ...headers,
        },
        body: JSON.stringify(body),
      }),
    metrics: async () => (await fetch(`${metricsUrl}/metrics`)).text(),
  };
}

function withPorts(text: string): string {
  return /^server:/m.test(text) || /^monitoring:/m.test(text) ? text : LOOPBACK + text;
}

/** The member of an answer at a path. */
export function at(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((held, name) => (held as Record<string, unknown> | undefined)?.[name], value);
}

/** The types of the findings of an answer, whether it is blocked or not. */
export function typesOf({ body }: Answer): string[] {
  const findings = (at(body, 'data.findings') ?? at(body, 'governance.findings') ?? []) as {
    readonly type: string;
  }[];
  return findings.map(({ type }) => type);
}
