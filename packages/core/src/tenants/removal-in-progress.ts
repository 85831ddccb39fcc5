import { ProbityError } from '../errors.ts';

/** The refusal to store a tenant again before its removal has ended. */
export function removalInProgress(id: string): ProbityError {
  return new ProbityError(
    'unavailable',
    `The data of the organization ${id} is being deleted; it can be stored again afterwards.`,
    { headers: { 'Retry-After': '5' } },
  );
}
