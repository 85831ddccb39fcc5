import type { Endpoint, Members, ReadShape, Steps } from '@probity/pipeline/protocols';
import { createUnreadCheck, runInTurns } from '@probity/pipeline/protocols';

/** Vectors are numbers, or their bytes in base 64. */
const ANSWER: ReadShape = {
  read: new Set(['model']),
  below: { data: { read: new Set(['embedding']) } },
};

/** Embeddings of OpenAI: every input is a message of the user. Tokens in place of a text cannot be scanned. */
export const EMBEDDINGS: Endpoint = {
  messageMembers: ['input'],
  messagesOf: ({ input }) => inputsOf(input).map(toMessage),
  withMessages: (body, messages) => ({ ...body, input: toInput(body, messages) }),
  async checkAnswer(answer, check) {
    await runInTurns(requireVectors(answer));
    return createUnreadCheck(check)(answer, ANSWER);
  },
  createEvents: () => ({
    async take() {
      throw new SyntaxError('embeddings do not come in events');
    },
    end: async () => [],
  }),
};

const BASE_64 = /^[A-Za-z\d+/]*={0,2}$/;
/** Members of vectors are smaller; a larger number may be a card number. */
const MOST = 1e8;

/** @throws TypeError for vectors that are anything else, which nobody would scan */
function* requireVectors({ data }: Members): Steps<void> {
  for (const each of [data].flat()) {
    if (typeof each !== 'object' || each === null || !('embedding' in each)) continue;
    const { embedding } = each;
    if (typeof embedding === 'string' && BASE_64.test(embedding)) continue;
    if (Array.isArray(embedding)) {
      yield;
      if (embedding.every((value) => typeof value === 'number' && Math.abs(value) < MOST)) continue;
    }
    throw new TypeError('messages: expected embeddings to be numbers, or in base 64');
  }
}

/** A text, a list of texts, a list of tokens, or a list of lists of tokens. */
function inputsOf(input: unknown): readonly unknown[] {
  if (!Array.isArray(input)) return input === undefined ? [] : [input];
  return input.every((each) => typeof each === 'number') ? [input] : input;
}

function toMessage(input: unknown): object {
  const isTokens = Array.isArray(input) && input.every((each) => typeof each === 'number');
  return { role: 'user', content: isTokens ? [{ type: 'tokens' }] : input };
}

function toInput({ input }: Members, messages: readonly object[]): unknown {
  const given = inputsOf(input);
  const texts = (messages as { readonly content: unknown }[]).map(({ content }, index) =>
    typeof content === 'string' ? content : given[index],
  );
  return given.length === 1 && given[0] === input ? texts[0] : texts;
}
