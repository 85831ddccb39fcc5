import type { Clock } from '@probity/core';
import { createMemoryRateLimiter } from '@probity/core';
import type { Primary, PrimaryPart } from '../cluster/part.ts';
import type { GatewayConfig } from '../config/read-config.ts';
import type { GatewayDatabase } from '../database/gateway-database.ts';
import type { PoolSettings } from '../database/postgres-pool.ts';
import type { TokenBudgets, TokenDecision, TokenDemand } from './token-budgets.ts';
import type { TokenSettlement } from './token-ledger.ts';

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
  /** What a key may use a day; undefined where it has no budget. */
  budgetOf(key: string): TokenBudget | undefined;
  /**
   * Reserves what a call may use.
   *
   * @throws ProbityError `unavailable` where the database of the budgets does not answer
   */
  reserve(demand: TokenDemand): Promise<TokenDecision>;
  /** Replaces a reservation by the tokens that were used. */
  settle(id: string, used: number): void;
}

type Models = GatewayConfig['models'];

/** The budget of an API key. */
type TokenBudget = Models['token_budgets'][number];

type Question =
  | { readonly ask: 'call'; readonly model: string; readonly perMinute: number }
  | ({ readonly ask: 'tokens' } & TokenDemand);

const PART = 'model-limits';
const MINUTE_S = 60;

/** Calls of one key wait for each other in the database: more connections would wait as well. */
const MOST_CONNECTIONS = 4;

/** The connections of the budgets, which are beside those of the audit table. */
export function tokenPoolOf({ database }: Pick<GatewayConfig, 'database'>): PoolSettings {
  const { pool_size } = database;
  return { ...database, pool_size: Math.min(MOST_CONNECTIONS, pool_size), max_overflow: 0 };
}

/** What the limits are kept with. */
export interface ModelLimitsPartOptions {
  readonly clock: Clock;
  readonly budgets: TokenBudgets;
  /** Where the budgets are. */
  readonly database: Pick<GatewayDatabase, 'use' | 'close'>;
}

/** The part of the primary that counts: a sliding window of a minute for each model, and the budgets of the keys. */
export function createModelLimitsPart(options: ModelLimitsPartOptions): PrimaryPart {
  const { clock, budgets, database } = options;
  const limiter = createMemoryRateLimiter(clock);
  return {
    name: PART,
    async answer(message, worker) {
      const question = message as Question;
      if (question.ask === 'tokens') return budgets.reserve(question, worker);
      const limit = { requests: question.perMinute, windowSeconds: MINUTE_S };
      const decision = await limiter.consume(question.model, limit);
      return decision.allowed ? 0 : Math.max(1, decision.retryAfterMs);
    },
    take(message) {
      const { id, used } = message as TokenSettlement;
      budgets.settle(id, used);
    },
    leave: (worker) => budgets.leave(worker),
    prepare: (config) => ({
      commit: () => database.use(tokenPoolOf(config)),
      discard: () => undefined,
    }),
    async close() {
      await budgets.close();
      await database.close();
    },
  };
}

/** The limits as a serving process uses them; what has no limit asks nobody. */
export function createModelLimits(primary: Primary, models: () => Models): ModelLimits {
  const ask = <Answer>(question: Question) => primary.call<Answer>(PART, question);
  return {
    async takeCall(model, perMinute) {
      return perMinute === undefined ? 0 : ask<number>({ ask: 'call', model, perMinute });
    },
    budgetOf(key) {
      const { token_budgets: budgets } = models();
      return budgets.find((each) => each.key === key) ?? budgets.find((each) => each.key === '*');
    },
    reserve: (demand) => ask<TokenDecision>({ ask: 'tokens', ...demand }),
    settle: (id, used) => primary.tell(PART, { id, used } satisfies TokenSettlement),
  };
}
