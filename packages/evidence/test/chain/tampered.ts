import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { SqlSession } from '@probity/core/sql';
import type { sqlTargets, World } from '../world.ts';
import { createWorld } from '../world.ts';

/** Changes the tables as somebody with access to the database, but without the encryption key, can. */
type Tamper = (session: SqlSession, world: World) => Promise<void>;

/** Changes the database of a world. */
export async function tamper(world: World, change: Tamper): Promise<void> {
  const { opened } = world;
  assert.notEqual(opened.kind, 'memory');
  if (opened.kind === 'memory') return;
  await opened.database.transaction((session) => change(session, world));
}

/** Where the chain is broken, and why; null where it is intact. */
export async function faultOf({ services, context }: World) {
  const { fault } = await services.verify(context);
  return fault && [fault.sequence, fault.reason];
}

/** Five records with labels and an AI system, of which the second was amended. */
export async function furnish(t: TestContext, target: (typeof sqlTargets)[number]): Promise<World> {
  const world = await createWorld(t, { target });
  const { services, context } = world;
  const { id: aiSystemId } = await services.aiSystems.create(context, { name: 'Assistant' });
  const facts = { labels: { team: 'a' }, aiSystemId };
  await world.append({ ...facts, obligationIds: [] }, facts, facts, { occurredAt: null });
  const [second] = await world.storage.findEvidenceAt(world.organizationId, [2]);
  await services.records.update(context, second?.id ?? '', { labels: { team: 'b' } });
  const stats = { successes: 3, failures: 1, errors: 0 };
  const labels = { ...facts.labels, 'ü🙂:1': '3:x' };
  await world.append({ ...facts, labels, metadata: { providers: ['desk'], stats } });
  assert.equal(await faultOf(world), null);
  return world;
}
