import type { Clock } from '@probity/core';
import type { Members } from '@probity/pipeline/protocols';
import type { ModelLimits } from '../limits/model-limits.ts';
import type { TokenDecision } from '../limits/token-budgets.ts';
import type { ProxyProtocol } from './protocols.ts';
import { proxyError } from './proxy-error.ts';
import type { TokenUsage } from './usage.ts';
import { estimateInput, estimateTokens, MOST_TOKENS } from './usage.ts';

const DAY_MS = 86_400_000;

/** What the budget of a key holds for a call. */
export interface CallTokens {
  /** Whether the key has a budget, so that the tokens must be known. */
  readonly isCounted: boolean;
  /**
   * What the call has used, where the provider does not say; null where the interface uses no tokens.
   *
   * @param textBytes length of the answer's texts
   */
  estimate(textBytes: number): TokenUsage | null;
  /** Replaces what is reserved by what was used; null for nothing. Called once. */
  settle(usage: TokenUsage | null): void;
}

/** A call of a client. */
interface ReservedCall {
  /** Name of the API key. */
  readonly key: string;
  readonly protocol: ProxyProtocol;
  readonly members: Members;
  /** Length of the body. */
  readonly bytes: number;
}

/**
 * Reserves what a call may use from the budget of its key: an estimate of its request, and the most that it lets the
 * answer have.
 *
 * @throws ProbityError with status 429 where it is more than what is left, 503 where the budgets cannot be read
 */
export async function reserveTokens(
  limits: ModelLimits,
  clock: Clock,
  { key, protocol, members, bytes }: ReservedCall,
): Promise<CallTokens> {
  const input = await estimateInput(members, bytes);
  const budget = limits.budgetOf(key);
  const limit = protocol.answerLimit?.(members);
  const estimateFrom = (least: number) => (textBytes: number) =>
    limit === undefined ? null : { input, output: Math.max(least, estimateTokens(textBytes)) };
  if (budget === undefined || limit === undefined) {
    return { isCounted: false, estimate: estimateFrom(0), settle: () => undefined };
  }
  const most = limit.isOpen ? Math.max(limit.tokens, budget.answer_tokens) : limit.tokens;
  // The ledger counts in whole numbers.
  const answer = Math.min(MOST_TOKENS * 1_000, Math.ceil(limit.answers * most));
  const tokens = input + answer;
  const { tokens_per_day: perDay } = budget;
  const decision = await limits.reserve({ key, tokens, perDay });
  if (decision.id === null) throw refusal(decision, { tokens, perDay, now: clock.now() });
  const { id } = decision;
  const settle = (usage: TokenUsage | null) =>
    limits.settle(id, usage === null ? 0 : usage.input + usage.output);
  // A response in the background goes on when the call has ended, up to its maximum.
  const estimate = estimateFrom(members.background === true ? answer : 0);
  return { isCounted: true, estimate, settle };
}

function refusal(
  { left, retryAfterMs, isHeld }: Extract<TokenDecision, { readonly id: null }>,
  call: { readonly tokens: number; readonly perDay: number; readonly now: Date },
) {
  const { tokens, perDay, now } = call;
  // The primary has looked at its clock a moment before.
  const until = new Date(
    Math.round((now.getTime() + retryAfterMs) / DAY_MS) * DAY_MS,
  ).toISOString();
  const why = isHeld
    ? 'calls in progress hold what it needs: try again when they have ended'
    : `the next day begins at ${until}`;
  const message =
    `The API key has ${left} of its ${perDay} tokens a day left, and the call may use ${tokens}; ` +
    `${why}. A smaller maximum of tokens in the request reserves less.`;
  const fault = { status: 429, message, type: 'tokens', code: 'token_budget_exceeded' };
  return proxyError(fault, {
    'Retry-After': String(Math.ceil(retryAfterMs / 1_000)),
    ...(!isHeld && { 'x-should-retry': 'false' }),
  });
}
