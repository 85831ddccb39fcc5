import { z } from 'zod';
import type { PlatformRules } from './rules.ts';
import { platformNugget, platformPolicy } from './rules.ts';
import type { JournalMinute } from './usage-journal.ts';

/** Where the platform is. */
export interface PlatformAccess {
  /** Such as `https://probity.example.com`. */
  readonly url: string;
  /** An API key with the role member. */
  readonly key: string;
}

/** What a report of scans was answered. */
const receipt = z.object({
  accepted: z.int(),
  repeated: z.int(),
  expired: z.int(),
  gateway_scans: z.object({ limit: z.int(), used: z.int() }),
});

/** What the platform says of a report of scans. */
type UsageReceipt = z.output<typeof receipt>;

/** Calls the platform. Every method throws an Error that says what was answered, without the key. */
export interface PlatformClient {
  heartbeat(instanceId: string, version: string): Promise<void>;
  reportUsage(instanceId: string, minutes: readonly JournalMinute[]): Promise<UsageReceipt>;
  pullPolicies(): Promise<PlatformRules['policies']>;
  pullKnowledge(): Promise<PlatformRules['knowledge']>;
}

const TIMEOUT_MS = 10_000;
const PAGE = 200;

/** Creates a client of the platform. */
export function createPlatformClient({ url, key }: PlatformAccess): PlatformClient {
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(new URL(`api/v1${path}`, url.replace(/\/*$/, '/')), {
      method,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        Authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch((error: Error) => {
      const { message } = (error.cause as Error | undefined) ?? error;
      throw new Error(`${method} ${path}: ${message}`);
    });
    const answer = await response.json().catch(() => undefined);
    if (response.ok) return answer;
    const { message = '' } = (answer as { error?: { message?: string } } | undefined)?.error ?? {};
    throw new Error(`${method} ${path}: ${response.status} ${message}`.trim());
  };
  const pull = async <Item>(path: string, item: z.ZodType<Item>): Promise<Item[]> => {
    const page = z.object({ data: z.array(item), has_more: z.boolean() });
    const items: Item[] = [];
    for (;;) {
      const query = `?limit=${PAGE}&offset=${items.length}`;
      const { data, has_more: hasMore } = page.parse(await call('GET', path + query));
      items.push(...data);
      if (!hasMore || data.length === 0) return items;
    }
  };
  return {
    async heartbeat(instanceId, version) {
      const body = { kind: 'gateway', instance_id: instanceId, version };
      await call('POST', '/instances/heartbeat', body);
    },
    async reportUsage(instanceId, minutes) {
      const usage = minutes.map(({ minute, scans }) => ({ minute: minute.toISOString(), scans }));
      const body = { kind: 'gateway', instance_id: instanceId, usage };
      const answer = await call('POST', '/instances/usage', body);
      return z.object({ data: receipt }).parse(answer).data;
    },
    pullPolicies: () => pull('/governance/policies', platformPolicy),
    pullKnowledge: () => pull('/knowledge/nuggets', platformNugget),
  };
}
