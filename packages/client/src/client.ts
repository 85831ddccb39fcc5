import { callOperation } from './answers.ts';
import type { ProbityApi } from './generated/methods.ts';
import { OPERATIONS } from './generated/operations.ts';
import type { ClientOptions } from './options.ts';
import { settingsOf } from './options.ts';

/**
 * Creates a client of the API at `baseUrl`. It has an object for each group of operations, whose
 * methods take the parameters of the path, the body or the query, and options, and return the value
 * without its envelope `data`. It keeps no connection and needs no closing.
 * @throws TypeError naming the option that is wrong
 */
export function createClient(options: ClientOptions): ProbityApi {
  const settings = settingsOf(options);
  const groups = Object.entries(OPERATIONS).map(([group, operations]) => {
    const methods = Object.entries(operations).map(([name, operation]) => [
      name,
      (...args: readonly unknown[]) => callOperation(operation, settings, args),
    ]);
    return [group, Object.freeze(Object.fromEntries(methods))];
  });
  // The table and the interface are generated from the same document.
  return Object.freeze(Object.fromEntries(groups)) as ProbityApi;
}
