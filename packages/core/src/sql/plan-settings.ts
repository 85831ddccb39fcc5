/**
 * Settings of every connection of a pool of ours. Compiling a statement takes longer than any statement of a request.
 * With PostgreSQL's default cost of a random read, which is that of a disk that seeks, rows of a small table are found by
 * reading all of it, and the plan of a prepared statement mostly stays while the table grows, until it is analyzed.
 */
export const SESSION_SETTINGS = 'set jit = off; set random_page_cost = 1.1';

/** The same settings until the end of the transaction, for a pooler that shares connections between clients. */
export const TRANSACTION_SETTINGS = SESSION_SETTINGS.replaceAll('set ', 'set local ');

const OTHER_PLANS = [
  'enable_sort',
  'enable_incremental_sort',
  'enable_seqscan',
  'enable_bitmapscan',
];
/** What has no such index looks so expensive then that PostgreSQL would compile it. */
const OFF = [...OTHER_PLANS, 'jit'];

/**
 * The statement after which PostgreSQL reads rows by an index that has the order of the query, if there is one, until
 * the end of the transaction. It plans a prepared statement once, and mostly keeps the plan until the table is analyzed: one
 * that was made for few rows sorts the whole backlog of a queue at each run.
 */
export const READ_IN_ORDER: string = `select ${OFF.map((name) => `set_config('${name}', 'off', true)`).join(', ')}`;
