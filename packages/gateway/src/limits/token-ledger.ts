import type { Migration } from '@probity/core/sql';

/** What is reserved before a call, and settled after it. */
interface TokenReservation {
  /** `tok_…` */
  readonly id: string;
  /** Name of the API key. */
  readonly key: string;
  /** Days since 1970, in UTC: the one on which the call began. */
  readonly day: number;
  readonly tokens: number;
}

/** What a call has used of its reservation. */
export interface TokenSettlement {
  readonly id: string;
  readonly used: number;
}

/** The tokens of each API key and day. Several gateways may share one ledger. */
export interface TokenLedger {
  /**
   * Reserves tokens where those used and reserved on the day stay within `perDay`; of concurrent callers none can
   * exceed it.
   *
   * @returns null where it is reserved, durably; else the tokens that are used and reserved
   */
  reserve(reservation: TokenReservation, perDay: number): Promise<number | null>;
  /**
   * Replaces reservations by the tokens that were used, all or none. Those that are settled already stay as they are,
   * so that this may be tried again.
   */
  settle(settlements: readonly TokenSettlement[]): Promise<void>;
  /** Deletes what was counted on days before this one. */
  forgetBefore(day: number): Promise<void>;
}

export const DAYS_TABLE = 'gateway_token_days';
export const RESERVATIONS_TABLE = 'gateway_token_reservations';

/** The tables of the ledger. */
export const TOKEN_MIGRATIONS: readonly Migration[] = [
  {
    name: 'gateway/0001_token_budgets',
    statements: [
      `create table ${DAYS_TABLE} (
        api_key text not null,
        day integer not null,
        used bigint not null,
        primary key (api_key, day)
      )`,
      `create table ${RESERVATIONS_TABLE} (
        id text primary key,
        api_key text not null,
        day integer not null,
        tokens bigint not null
      )`,
      `create index ${RESERVATIONS_TABLE}_day on ${RESERVATIONS_TABLE} (day)`,
      `create index ${DAYS_TABLE}_day on ${DAYS_TABLE} (day)`,
    ],
  },
];
