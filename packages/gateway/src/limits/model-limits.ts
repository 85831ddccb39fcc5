import type { Clock } from '@probity/core';
import { createMemoryRateLimiter } from '@probity/core';
import { DAY_MS } from '@probity/core/internal';
import { LRUCache } from 'lru-cache';
import type { GatewayConfig } from '../config/read-config.ts';

/** Counts calls of models and tokens of keys. It outlives reloads; new limits hold from the next call on. */
export interface ModelLimits {
  /**
   * Takes one call of a model.
   *
   * @param model `PROVIDER/MODEL`
   * @param perMinute undefined for no limit
   * @returns milliseconds until a call is free; 0 when this one was
   */
  takeCall(model: string, perMinute: number | undefined): number;
  /** The budget of a key that is spent; null where it has one that is not, or none. */
  spentBudget(key: string): SpentBudget | null;
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

const MINUTE_S = 60;
const MAX_KEYS = 100_000;

/** Creates the limits: a sliding window of a minute for each model, and a day (UTC) of tokens for each key. */
export function createModelLimits(clock: Clock, models: () => Models): ModelLimits {
  const limiter = createMemoryRateLimiter(clock);
  const spent = new LRUCache<string, { readonly day: number; tokens: number }>({ max: MAX_KEYS });
  const today = () => Math.floor(clock.now().getTime() / DAY_MS);
  const budgetOf = (key: string) => {
    const { token_budgets: budgets } = models();
    const named = budgets.find((budget) => budget.key === key);
    return (named ?? budgets.find((budget) => budget.key === '*'))?.tokens_per_day;
  };
  const spentToday = (key: string) => {
    const held = spent.get(key);
    return held?.day === today() ? held.tokens : 0;
  };
  return {
    takeCall(model, perMinute) {
      if (perMinute === undefined) return 0;
      const limit = { requests: perMinute, windowSeconds: MINUTE_S };
      const decision = limiter.consume(model, limit);
      if ('then' in decision) throw new Error('the limiter in memory decides at once');
      return decision.allowed ? 0 : Math.max(1, decision.retryAfterMs);
    },
    hasBudget: (key) => budgetOf(key) !== undefined,
    spentBudget(key) {
      const tokensPerDay = budgetOf(key);
      if (tokensPerDay === undefined || spentToday(key) < tokensPerDay) return null;
      return { tokensPerDay, resetAfterMs: (today() + 1) * DAY_MS - clock.now().getTime() };
    },
    spend(key, tokens) {
      if (budgetOf(key) === undefined) return;
      spent.set(key, { day: today(), tokens: spentToday(key) + tokens });
    },
  };
}
