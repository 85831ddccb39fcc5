import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Guard } from '@probity/pipeline';
import type { Endpoint } from '@probity/pipeline/protocols';
import { CHAT, MESSAGES, RESPONSES } from '@probity/pipeline/protocols';
import { chatAnswer } from '@probity/test-support';
import { sampleCases } from '@probity/test-support/combinations';
import type { AnswerCase } from './answer-cases.ts';
import { ANSWER_CASES } from './answer-cases.ts';
import { hasArrived } from './arrivals.ts';
import type { Plant } from './encodings.ts';
import { callModel } from './in-process.ts';
import type { Kind } from './kinds.ts';
import { guardOfKinds, KINDS, openGuard, plantsOf } from './kinds.ts';
import type { RequestCase } from './request-cases.ts';
import { REQUEST_CASES } from './request-cases.ts';

const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  '/v1/chat/completions': CHAT,
  '/v1/responses': RESPONSES,
  '/v1/messages': MESSAGES,
};
const GUARD = guardOfKinds();
const OPEN = openGuard();
/** UTF-16 units of a delta. */
const LENGTHS = [1, 3, 7, 64, 100_000];
/** The operator's own texts. */
const OF_OPERATOR = /^(?:system|developer|instructions)/;
/** What is no answer, but a call or a refusal, claims nothing. */
const OF_ANSWER = /^(?:content|text|beginning of a block)$/;

interface Case<Of> {
  readonly name: string;
  readonly plant: Plant;
  readonly of: Of;
}

/** Some writings of each kind at each place, others at the next one. */
function casesOf<Of extends { readonly path: string; readonly place: string }>(
  all: readonly Of[],
  isRead: (kind: Kind, of: Of) => boolean,
  share: number,
): Case<Of>[] {
  return all.flatMap((of, at) =>
    KINDS.filter((kind) => isRead(kind, of)).flatMap((kind, index) =>
      plantsOf(kind)
        .filter((_, number) => (number + at + index) % share === 0)
        // Of JSON that breaks off no one could tell whose escapes they are.
        .filter(
          ({ text }) => !/breaks? off$/.test(of.place) || !JSON.stringify(text).includes('\\'),
        )
        .map((plant) => ({
          name: `${of.path}, ${of.place}, ${kind.name}, ${plant.name}`,
          ...{ plant, of },
        })),
    ),
  );
}

const REQUESTS = sampleCases(
  casesOf(
    REQUEST_CASES.filter(({ path, place, body }) => {
      // What becomes of files is said by who calls, or by `models.media`.
      if (place === 'file') return false;
      const [probe] = plantsOf(KINDS[0] as Kind);
      const endpoint = ENDPOINTS[path];
      if (endpoint === undefined || probe === undefined) return false;
      const messages = endpoint.messagesOf(body(probe) as Readonly<Record<string, unknown>>);
      return hasArrived(JSON.stringify(messages), probe.needle);
    }),
    ({ reads }, { place }) =>
      reads === 'all' || (reads === 'all but system' && !OF_OPERATOR.test(place)),
    4,
  ),
  5,
);
const ANSWERS = sampleCases(
  casesOf<AnswerCase>(
    ANSWER_CASES,
    ({ reads }, { place }) => reads !== 'answers' || OF_ANSWER.test(place),
    9,
  ),
  5,
);

const HELLO = JSON.stringify(chatAnswer('Hello.'));

/** A call whose request has the plant. */
const asking = (guard: Guard, { of, plant }: Case<RequestCase>) =>
  callModel(guard, { path: of.path, body: plant.json(of.body(plant)), answer: HELLO });

/** A call whose answer has it; `length` is that of the parts of a streamed one. */
const answering = (guard: Guard, { of, plant }: Case<AnswerCase>, length?: number) =>
  callModel(guard, {
    path: of.path,
    body: JSON.stringify({ model: 'm', ...of.body, stream: length !== undefined }),
    answer:
      length === undefined
        ? plant.json(of.whole(plant))
        : [Buffer.from(of.events(plant, length).join(''))],
  });

describe('no kind of finding gets through in any writing that is read', () => {
  it(`of a request: ${REQUESTS.length} cases`, async () => {
    for (const each of REQUESTS) {
      const { name, plant } = each;
      const control = await asking(OPEN, each);
      assert.ok(hasArrived(control.sent ?? '', plant.needle), `control: ${name}`);
      const { isBlocked, sent } = await asking(GUARD, each);
      assert.deepEqual([isBlocked, sent], [true, undefined], name);
    }
  });

  it(`of an answer: ${ANSWERS.length} cases, and streamed as many`, async () => {
    for (const [index, each] of ANSWERS.entries()) {
      for (const length of [undefined, LENGTHS[index % LENGTHS.length]]) {
        const name = `${each.name}, ${length}`;
        const control = await answering(OPEN, each, length);
        assert.ok(hasArrived(control.given, each.plant.needle), `control: ${name}`);
        const { isBlocked, given } = await answering(GUARD, each, length);
        assert.ok(isBlocked, `${name}: ${given}`);
        assert.ok(!hasArrived(given, each.plant.needle), `${name}: ${given}`);
      }
    }
  });
});
