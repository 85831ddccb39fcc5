import { createServer } from 'node:http';
import { addressOf } from '@probity/core/testing';
import type { TestLifetime } from '@probity/test-support';

/** A call that the platform got. */
export interface PlatformCall {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: unknown;
}

/** A platform whose answers a test decides. */
export interface TestPlatform {
  readonly url: string;
  readonly calls: PlatformCall[];
  /** Every call is answered with this status; 200 works. */
  status: number;
  policies: object[];
  nuggets: object[];
  /** Scans by minute, as the first report of each minute had them. */
  readonly scans: Map<string, number>;
  /** Whether the next reports are counted, and their connection ends without an answer. */
  loseAnswers: boolean;
  reports(): PlatformCall[];
}

/** A policy as the platform lists it. */
export function policyOf(id: string, rules: object[], given: object = {}): object {
  const facts = { version: 1, name: id, description: null, enabled: true, mode: 'enforce' };
  return {
    id,
    ...facts,
    default: true,
    keyIds: null,
    rules,
    createdAt: null,
    updatedAt: null,
    ...given,
  };
}

/** Starts a platform without policies. */
export async function startPlatform(t: TestLifetime): Promise<TestPlatform> {
  const calls: PlatformCall[] = [];
  const http = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const url = new URL(request.url ?? '', 'http://platform');
      const body = text === '' ? undefined : JSON.parse(text);
      calls.push({ path: url.pathname, authorization: request.headers.authorization, body });
      if (platform.status !== 200) {
        const error = { code: 'SERVICE_UNAVAILABLE', message: 'No.', statusCode: platform.status };
        response.writeHead(platform.status).end(JSON.stringify({ error }));
        return;
      }
      const answer = answerTo(platform, url, body);
      if (platform.loseAnswers && url.pathname.endsWith('/usage')) request.socket.destroy();
      else response.writeHead(200).end(JSON.stringify(answer));
    });
  });
  const url = await addressOf(t, http.listen(0, '127.0.0.1'));
  const platform: TestPlatform = {
    url,
    calls,
    status: 200,
    policies: [],
    nuggets: [],
    scans: new Map(),
    loseAnswers: false,
    reports: () => calls.filter(({ path }) => path.endsWith('/usage')),
  };
  return platform;
}

function answerTo(platform: TestPlatform, { pathname, searchParams }: URL, body: unknown): object {
  const page = (items: readonly object[]) => {
    const [offset, limit] = [Number(searchParams.get('offset')), Number(searchParams.get('limit'))];
    const data = items.slice(offset, offset + limit);
    const total = items.length;
    return { data, total, limit, offset, has_more: offset + data.length < total };
  };
  if (pathname.endsWith('/governance/policies')) return page(platform.policies);
  if (pathname.endsWith('/knowledge/nuggets')) return page(platform.nuggets);
  if (!pathname.endsWith('/usage')) return { data: body };
  const { usage } = body as { usage: { minute: string; scans: number }[] };
  const added = usage.filter(({ minute }) => !platform.scans.has(minute));
  for (const { minute, scans } of added) platform.scans.set(minute, scans);
  const repeated = usage.length - added.length;
  const quota = { limit: 10, used: 0 };
  return { data: { accepted: added.length, repeated, expired: 0, gateway_scans: quota } };
}
