import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sampleTargets } from '@probity/test-support/combinations';
import { start } from '../api.ts';
import { targets } from '../targets.ts';
import { RECORDED } from './recorded/index.ts';
import type { Believed, Sequence } from './recorded/step.ts';

type Call = Awaited<ReturnType<typeof start>>['call'];

/** The resource that a GET answers must have all that the provider believes of it. */
async function requireBelieved(call: Call, path: string, believed: Believed, why: string) {
  const { status, body } = await call('GET', path);
  assert.equal(status, believed ? 200 : 404, `${why}: ${path}`);
  if (!believed) return;
  const { members, ...rest } = believed as { members?: readonly string[] };
  for (const [name, value] of Object.entries(rest)) {
    assert.deepEqual(body[name] ?? null, value, `${why}: ${name}`);
  }
  if (members === undefined) return;
  const found = body.members.map(({ value }: { value: string }) => value);
  assert.deepEqual(found.sort(), [...members].sort(), why);
}

async function replay(call: Call, { headers = {}, query, steps }: Sequence): Promise<void> {
  const paths = new Map<string, string>();
  const beliefs = new Map<string, Believed>();
  const withQuery = (path: string) => {
    const [base, own = ''] = path.split('?');
    return query === undefined ? path : `${base}?${query}${own && `&${own}`}`;
  };
  const named = <T>(value: T): T => {
    const filled = JSON.stringify(value).replace(/\{(\w+)\}/g, (text, name) => {
      const id = paths.get(name)?.split('/').at(-1);
      return id ?? text;
    });
    return JSON.parse(filled);
  };
  for (const [index, { send, status, as, believes = {}, finds }] of steps.entries()) {
    const [method, path, body] = send;
    const why = `step ${index + 1}, ${method} ${path}`;
    const target = withQuery(named([path])[0] ?? path);
    const answer = await call(method, target, body && named(body), { headers });
    assert.equal(answer.status, status, `${why}: ${JSON.stringify(answer.body)}`);
    if (as !== undefined) paths.set(as, `${path}/${answer.body.id}`);
    if (finds !== undefined) assert.equal(answer.body.totalResults, finds, why);
    for (const [name, belief] of Object.entries(believes))
      beliefs.set(name, belief && named(belief));
    for (const [name, belief] of beliefs) {
      await requireBelieved(call, paths.get(name) ?? '', belief, why);
    }
  }
}

for (const target of sampleTargets(targets)) {
  describe(`${target.name}: recorded sequences, read back after each step`, () => {
    for (const [provider, steps] of Object.entries(RECORDED)) {
      test(provider, async (t) => replay((await start(t, { target })).call, steps));
    }
  });
}
