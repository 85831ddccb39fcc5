import type { Clock } from '@probity/core';
import { createMemoryRateLimiter } from '@probity/core';
import { DAY_MS } from '@probity/core/internal';
import { LRUCache } from 'lru-cache';
import type { Primary, PrimaryPart } from '../cluster/part.ts';
import type { GatewayConfig } from '../config/read-config.ts';

/**
 * Counts calls of models and tokens of keys, over all serving processes. It outlives reloads; new limits hold
 * from the next call on.
 */
export interface ModelLimits {
  /**
   * Takes one call of a model.
   *
   * @param model `PROVIDER/MODEL`
   * @param perMinute undefined for no limit
   * @returns milliseconds until a call is free; 0 when this one was
   */
  takeCall(model: string, perMinute: number | undefined): Promise<number>;
  /** The budget of a key that is spent; null where it has one that is not, or none. */
  spentBudget(key: string): Promise<SpentBudget | null>;
  /** Whether tokens of the key count. */
  hasBudget(key: string): boolean;
  /** Counts tokens of a key. */
  spend(key: string, tokens: number): void;
}

/** A budget that is spent. */
interface SpentBudget {
  readonly tokensPerDay: number;
  /** Milliseconds until the next day (UTC) begins. */
  readonly resetAfterMs: number;
}

type Models = GatewayConfig['models'];

type Question =
  | { readonly ask: 'call'; readonly model: string; readonly perMinute: number }
  | { readonly ask: 'spent'; readonly key: string };

interface Spending {
  readonly key: string;
  readonly tokens: number;
}

const PART = 'model-limits';
const MINUTE_S = 60;
const MAX_KEYS = 100_000;

/** The part of the primary that counts: a sliding window of a minute for each model, and tokens of each key and day (UTC). */
export function createModelLimitsPart(clock: Clock): PrimaryPart {
  const limiter = createMemoryRateLimiter(clock);
  const spent = new LRUCache<string, { readonly day: number; tokens: number }>({ max: MAX_KEYS });
  const today = () => Math.floor(clock.now().getTime() / DAY_MS);
  const spentToday = (key: string) => {
    const held = spent.get(key);
    return held?.day === today() ? held.tokens : 0;
  };
  return {
    name: PART,
    async answer(message) {
      const question = message as Question;
      if (question.ask === 'spent') return spentToday(question.key);
      const limit = { requests: question.perMinute, windowSeconds: MINUTE_S };
      const decision = await limiter.consume(question.model, limit);
      return decision.allowed ? 0 : Math.max(1, decision.retryAfterMs);
    },
    take(message) {
      const { key, tokens } = message as Spending;
      spent.set(key, { day: today(), tokens: spentToday(key) + tokens });
    },
  };
}

/** The limits as a serving process uses them; what has no limit asks nobody. */
export function createModelLimits(
  clock: Clock,
  primary: Primary,
  models: () => Models,
): ModelLimits {
  const budgetOf = (key: string) => {
    const { token_budgets: budgets } = models();
    const named = budgets.find((budget) => budget.key === key);
    return (named ?? budgets.find((budget) => budget.key === '*'))?.tokens_per_day;
  };
  const ask = (question: Question) => primary.call<number>(PART, question);
  return {
    async takeCall(model, perMinute) {
      return perMinute === undefined ? 0 : ask({ ask: 'call', model, perMinute });
    },
    hasBudget: (key) => budgetOf(key) !== undefined,
    async spentBudget(key) {
      const tokensPerDay = budgetOf(key);
      if (tokensPerDay === undefined) return null;
      if ((await ask({ ask: 'spent', key })) < tokensPerDay) return null;
      const now = clock.now().getTime();
      return { tokensPerDay, resetAfterMs: (Math.floor(now / DAY_MS) + 1) * DAY_MS - now };
    },
    spend(key, tokens) {
      if (budgetOf(key) !== undefined) primary.tell(PART, { key, tokens } satisfies Spending);
    },
  };
}
