import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorld } from '../world.ts';

const PAGE = { limit: 10, offset: 0 };
const ADDRESS = 'https://8.8.8.8/hook';
const EVENTS = ['alert.created'];

test('calls in code refuse unknown members and wrong values, and name them', async (t) => {
  const world = await createWorld(t);
  const { webhook } = await world.subscribe();
  const { webhooks, deliveries, replays, context } = world;
  const { id } = webhook;
  const since = new Date(0);
  const create = (input: object) => () => webhooks.create(context, input as never);
  const update = (input: object) => () => webhooks.update(context, id, input as never);
  const token = (input: object) => () =>
    webhooks.createPortalToken(context, { capabilities: ['view'], ...input } as never);
  const revoke = (filter: object) => () => webhooks.revokePortalTokens(context, filter as never);
  const replay = (input: object) => () => replays.start(context, id, input as never);
  const cases: ReadonlyArray<readonly [call: () => Promise<unknown>, message: string]> = [
    [create({ url: ADDRESS, events: EVENTS, rate_limit: 5 }), 'rate_limit: is not a known field'],
    [create({ url: ADDRESS, events: EVENTS, order: true }), 'order: is not a known field'],
    [create({ url: ADDRESS, events: EVENTS, ordered: 'no' }), 'ordered: '],
    [create({ url: ADDRESS, events: 'alert.created' }), 'events: '],
    [create({ events: EVENTS }), 'url: is required'],
    [update({ ratelimit: 5 }), 'ratelimit: is not a known field'],
    [
      create({ url: ADDRESS, events: EVENTS, format: 'Slack' }),
      'format: must be one of standard, slack',
    ],
    [update({ rateLimit: 0 }), 'rateLimit: must be a whole number from 1 to 1000'],
    [update({ events: [] }), 'events: must name at least one event type'],
    [token({ webhook_ids: [id] }), 'webhook_ids: is not a known field'],
    [token({ webhookIDs: [id], expiresIn: 60 }), 'webhookIDs: is not a known field'],
    [token({ webhookIds: [] }), 'webhookIds: must name at least one webhook'],
    [token({ webhookIds: id }), 'webhookIds: '],
    [token({ expiresInSeconds: 5 }), 'expiresInSeconds: must be an integer from 60 to 86400'],
    [revoke({ member: 'vic' }), 'member: is not a known field'],
    [() => webhooks.listPortalTokens(context, { member: 'a' } as never, PAGE), 'member: '],
    [() => webhooks.listPortalTokens(context, {}, { limit: 0, offset: 0 }), 'limit: '],
    [() => webhooks.list(context, undefined as never), 'page: '],
    [() => webhooks.rotateSecret(context, id, { overlapSeconds: 60 } as never), 'overlapSeconds: '],
    [() => deliveries.list(context, id, { state: 'held' } as never, PAGE), 'state: '],
    [() => deliveries.list(context, id, { status: 'lost' as never }, PAGE), 'status: must be'],
    [() => deliveries.list(context, id, {}, { limit: 1.5, offset: 0 }), 'limit: must be'],
    [replay({ since: '2026-01-01T00:00:00Z' }), 'since: must be a valid Date'],
    [replay({ since, untill: since }), 'untill: is not a known field'],
    [() => replays.recover(context, id, { since, types: [] } as never), 'types: is not a known'],
    [() => replays.list(context, id, { limit: 1, offset: -1 }), 'offset: must be'],
  ];
  for (const [call, message] of cases) {
    await assert.rejects(call, (error: Error & { kind?: string }) => {
      assert.equal(error.kind, 'validation_failed', `${message} ${error}`);
      assert.ok(error.message.startsWith(message), `${error.message} instead of ${message}`);
      return true;
    });
  }
});
