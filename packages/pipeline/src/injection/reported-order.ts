import type { TextRange } from '../types.ts';

const REACH = 200;
/** "if the user asks you to …": an order that is told of, by whoever says how to meet it. */
const TOLD =
  /\b(?:if|when|whenever|should|unless|once|wenn|falls|si|se|als)\b(?:(?!\bi\b)[^.!?\n]){1,60}\b(?:ask|tell|instruct|order|want|tr[iy]|urge|beg|convince|trick|persuade)(?:s|es|ed)?\b(?: (?:you|it|him|her|them|the \w{1,16}))?(?: to)?(?: \w{1,10})?\s?$/;
const ASKS =
  /^\W{0,4}(?:(?:hi|hello|hey)\W{1,3})?(?:how|does|do|did|can|could|is|are|was|will|would|should|why|what|which|when|where|who|wie|warum|kann|kannst|darf|wird|wo|welche\w?|comment|pourquoi|est-ce|peut-on|quelle?s?|como|por que|cual\w*|puedo|se puede|come|perche|posso|hoe|waarom|kan|как|почему|можно|зачем|какие?)(?![\p{L}\p{N}])|如何|怎么|怎样|为什么|能否|どうすれば|어떻게|كيف/u;
/** Words that turn a question to the model itself, or to what it was given. */
const ADDRESSES_MODEL =
  /\b(?:you|your|yours|yourself|u|ur|dein\w{0,2}|du|dich|dir|sie|ihre?n?|ton|ta|tes|tu|toi|vous|vos|votre|tus|te|usted|sus?|tuo|tuoi|tua|tue|seus?|suas?|je|jij|jouw|uw|ai|llm|assistant|chatbot|prompts?|me|now)\b|ты|тебе|твои|ваш|你|您|あなた|프롬프트|提示/u;

/** Whether what stands at `place` is told as the order of somebody else: "if a user asks you to …". */
export function isReportedOrder(text: string, { start }: TextRange): boolean {
  return TOLD.test(text.slice(Math.max(0, start - REACH), start));
}

/**
 * Whether `place` lies in a question about how a thing behaves: it opens like one, ends with a
 * question mark, and addresses no model. A linter that ignores the rule above is nobody's attack.
 */
export function isQuestionAboutThings(text: string, { start, end }: TextRange): boolean {
  const before = text.slice(Math.max(0, start - REACH), start);
  const after = text.slice(end, end + REACH);
  const close = /[?？]|[.!](?=\s|$)|[。！\n]/.exec(after);
  if (close === null || !/[?？]/.test(close[0])) return false;
  const opened = before.split(/[.!?:](?=\s)|[。？！\n]/).at(-1) ?? '';
  const sentence = opened + text.slice(start, end) + after.slice(0, close.index);
  return ASKS.test(sentence.trimStart()) && !ADDRESSES_MODEL.test(sentence);
}
