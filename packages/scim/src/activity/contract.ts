import assert from 'node:assert/strict';
import { OUTSIDE_REQUEST } from '@probity/core';
import type { OpenedStorage, PromiseCheck } from '@probity/core/testing';
import { CREATED_AT } from '../fixtures.ts';
import type { ScimActivityStorage } from './storage.ts';
import type { ScimRequest } from './types.ts';

type Opened = OpenedStorage<ScimActivityStorage>;

/** Contract checks of a storage for the latest requests, by test title. */
export const activityPromises: Readonly<Record<string, PromiseCheck<ScimActivityStorage>>> = {
  'requests are listed newest first, by their own organization only': lists,
  'the oldest requests of an organization beyond those kept are deleted': keepsLatest,
  'requests that several instances append at once are all listed': appendsAtOnce,
};

/** A request, so many milliseconds after the fixtures' time. */
function requestAt(ms: number, facts: Partial<ScimRequest> = {}): ScimRequest {
  const at = new Date(CREATED_AT.getTime() + ms);
  return {
    at,
    method: 'GET',
    path: `/Users?startIndex=${ms}`,
    status: 200,
    detail: null,
    ...facts,
  };
}

function append(
  storage: ScimActivityStorage,
  organizationId: string,
  requests: readonly ScimRequest[],
  keep = 100,
): Promise<void> {
  return storage.transaction(OUTSIDE_REQUEST, (tx) =>
    tx.appendScimRequests(organizationId, requests, keep),
  );
}

async function lists({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const refused = requestAt(1, { method: 'PATCH', status: 400, detail: 'a "path" is wrong: ä' });
  await append(storage, own, [requestAt(0), refused, requestAt(1)]);
  await append(storage, other, [requestAt(7)]);
  await append(storage, own, [requestAt(2)]);
  const expected = [requestAt(2), requestAt(1), refused, requestAt(0)];
  assert.deepEqual(await storage.listScimRequests(own, 100), expected);
  assert.deepEqual(await storage.listScimRequests(own, 2), expected.slice(0, 2));
}

async function keepsLatest({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  await append(storage, own, [requestAt(0), requestAt(1), requestAt(2)], 4);
  await append(storage, other, [requestAt(0)], 4);
  await append(storage, own, [requestAt(3), requestAt(4)], 4);
  const expected = [4, 3, 2, 1].map((ms) => requestAt(ms));
  assert.deepEqual(await storage.listScimRequests(own, 100), expected);
  assert.deepEqual(await storage.listScimRequests(other, 100), [requestAt(0)]);
  const many = Array.from({ length: 9 }, (_, index) => requestAt(10 + index));
  await append(storage, own, many, 4);
  assert.deepEqual(await storage.listScimRequests(own, 100), many.reverse().slice(0, 4));
}

async function appendsAtOnce({ storage, createTenant, openAnother }: Opened): Promise<void> {
  const own = await createTenant();
  const storages = [storage, openAnother() ?? storage];
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      append(storages[index % 2] ?? storage, own, [requestAt(index), requestAt(index + 100)]),
    ),
  );
  const listed = await storage.listScimRequests(own, 100);
  const expected = [...Array(20).keys()].flatMap((index) => [index, index + 100]);
  assert.deepEqual(
    listed,
    expected.sort((left, right) => right - left).map((ms) => requestAt(ms)),
  );
}
