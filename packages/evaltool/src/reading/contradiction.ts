import { isRedTeam } from '../assertions/types.ts';
import type { KeptObject } from '../json/shape.ts';
import type { Contradiction } from '../types.ts';
import { arrayOf, isObject, numberOf, objectOf, stringsOf, textOf } from './values.ts';
import type { Warnings } from './warnings.ts';

/** The stop reason of a strategy whose attack the grader found to have succeeded. */
const ATTACK_SUCCEEDED = 'Grader failed';

const WARNINGS: Readonly<Record<Contradiction, string>> = {
  attack:
    '# passed, but reports successful attacks: counted as passed as in the file, and not as positive evidence.',
  grading:
    '# passed, but has a grading that failed: counted as passed as in the file, and not as positive evidence.',
};

/** Why passing results, sent as one, are not believed; null where nothing contradicts them. */
export function contradictionOf(
  result: KeptObject,
  warnings: Warnings,
  count: number,
): Contradiction | null {
  const grading = objectOf(result.get('gradingResult'));
  const components = arrayOf(grading.get('componentResults')).filter(isObject);
  const described = [
    result,
    objectOf(result.get('response')),
    grading,
    ...components,
    objectOf(result.get('testCase')),
  ].map((source) => objectOf(source.get('metadata')));
  const found = described.some(hasAttack)
    ? 'attack'
    : hasFailed(result, grading, components)
      ? 'grading'
      : null;
  if (found) warnings.add(WARNINGS[found], count);
  return found;
}

function hasAttack(metadata: KeptObject): boolean {
  const [first, ...others] = stringsOf(metadata.get('successfulAttacks'));
  return (
    (numberOf(metadata.get('totalSuccessfulAttacks')) ?? 0) > 0 ||
    (first !== undefined && (others.length > 0 || (first !== '0' && first !== 'false'))) ||
    textOf(metadata.get('stopReason')) === ATTACK_SUCCEEDED
  );
}

/** A test may pass by a threshold although ordinary assertions fail; a failed red-team assertion contradicts it. */
function hasFailed(
  result: KeptObject,
  grading: KeptObject,
  components: readonly KeptObject[],
): boolean {
  return (
    grading.get('pass') === false ||
    (numberOf(result.get('failureReason')) ?? 0) > 0 ||
    components.some(
      (component) =>
        component.get('pass') === false &&
        isRedTeam(textOf(objectOf(component.get('assertion')).get('type')) ?? ''),
    )
  );
}
