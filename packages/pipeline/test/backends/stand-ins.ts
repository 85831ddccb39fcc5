import type { Embedder, Judge, JudgeQuestion, Judgment } from '../../src/index.ts';

/** A judge that gives the same answer to all, and notes what it was asked. */
export function createJudge(answer: Judgment | Error | ((question: JudgeQuestion) => Judgment)) {
  const asked: JudgeQuestion[] = [];
  const judge: Judge = {
    async judge(question) {
      asked.push(question);
      if (answer instanceof Error) throw answer;
      return typeof answer === 'function' ? answer(question) : answer;
    },
  };
  return { judge, asked };
}

/** Embeds a text as the number of the topic whose word it has. */
export function createEmbedder(...topics: RegExp[]) {
  const embedded: string[] = [];
  const embedder: Embedder = {
    async embed(texts) {
      embedded.push(...texts);
      return texts.map((text) => Float32Array.from(topics, (topic) => Number(topic.test(text))));
    },
  };
  return { embedder, embedded };
}
