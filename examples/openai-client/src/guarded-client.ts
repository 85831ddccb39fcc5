import type { Guard } from '@probity/pipeline';
import type OpenAI from 'openai';

type Question = OpenAI.ChatCompletionCreateParamsNonStreaming;

/** A prompt or an answer that a policy blocks. */
export class BlockedError extends Error {
  override readonly name = 'BlockedError';
}

/**
 * Asks a model, and checks the user's last message before and the answer after the call. The answer
 * is redacted where a policy says so.
 *
 * @throws BlockedError when a policy blocks one of them; a blocked prompt never reaches the model
 */
export async function askGuarded(
  client: OpenAI,
  guard: Guard,
  question: Question,
): Promise<string> {
  const prompt = question.messages.findLast(({ role }) => role === 'user')?.content;
  if (typeof prompt === 'string') pass(await guard.check({ prompt }));
  const { choices } = await client.chat.completions.create(question);
  const response = choices[0]?.message.content ?? '';
  const asked = typeof prompt === 'string' ? { prompt } : {};
  return pass(await guard.check({ ...asked, response }));
}

function pass({ text, reason }: Awaited<ReturnType<Guard['check']>>): string {
  if (text === null) throw new BlockedError(`blocked: ${reason}`);
  return text;
}
