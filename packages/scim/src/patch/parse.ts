import { MAX_PATCH_OPERATIONS } from '../bulk/limits.ts';
import { excerpt, scimError } from '../errors.ts';
import type { PatchPath } from '../filters/patch-path.ts';
import { createFaults } from '../resources/faults.ts';
import { requireObject } from '../resources/input.ts';
import { isArray, isObject } from '../resources/json.ts';
import { refusePrototype } from '../resources/prototypes.ts';
import type { JsonValue, ResourceTypeDefinition } from '../schemas/types.ts';
import { QUIRKS } from './quirks.ts';
import type { Request } from './requests.ts';
import { toOperations } from './requests.ts';
import type { TargetParser } from './targets.ts';
import { createTargetParser } from './targets.ts';
import type { PatchOperation, PatchOperationName } from './types.ts';

/** Number of attributes, known or not, that the values of a request's operations without path may name. */
const MAX_NAMES = 2_000;

/** Number of attributes and sub-attributes that a request may assign, one that several operations assign each time. */
const MAX_CHANGES = 2_000;

/** Number of values of multi-valued attributes that a request may have; members of groups are not among them. */
const MAX_VALUES = 2_000;

const NAMES: ReadonlySet<JsonValue | undefined> = new Set(['add', 'replace', 'remove']);

/**
 * Parses the body of a PATCH. Attributes and extensions that the resource type does not have are ignored in values, and
 * paths into extensions that it does not have are, too; every other path must exist.
 * @throws ProbityError `invalidSyntax`, `invalidPath`, `invalidFilter`, `invalidValue`, `mutability` for read-only
 *   attributes, `noTarget` for a removal without path
 */
export function parsePatch(
  body: unknown,
  resourceType: ResourceTypeDefinition,
): readonly PatchOperation[] {
  const requests = QUIRKS.operationMembers.read(requireObject(body)).get('operations');
  if (!isArray(requests) || requests.length === 0) {
    throw scimError('invalidSyntax', 'Operations must be a list of at least one operation');
  }
  if (requests.length > MAX_PATCH_OPERATIONS) {
    throw scimError(
      'invalidValue',
      `Operations must have at most ${MAX_PATCH_OPERATIONS} operations`,
    );
  }
  const targets = createTargetParser(resourceType);
  const faults = createFaults(resourceType.name);
  const operations: PatchOperation[] = [];
  let names = 0;
  let values = 0;
  for (const [index, raw] of requests.entries()) {
    const divided = toRequests(raw, `Operations[${index}]`, targets);
    names += divided.length;
    if (names > MAX_NAMES) throw tooMany(MAX_NAMES, 'names of attributes');
    for (const { target, ...request } of divided) {
      if (!target) continue;
      const found = toOperations({ ...request, target }, resourceType, faults);
      values += found.reduce((sum, operation) => sum + valuesOf(operation), 0);
      operations.push(...found);
      if (operations.length > MAX_CHANGES) throw tooMany(MAX_CHANGES, 'changes');
      if (values > MAX_VALUES) throw tooMany(MAX_VALUES, 'values');
    }
  }
  faults.check();
  return operations;
}

/** A request whose target is null when it names what the resource type does not have. */
type FoundRequest = Omit<Request, 'target'> & { readonly target: PatchPath | null };

/** One operation by its target, or one for each attribute of a value without path. */
function toRequests(raw: JsonValue, field: string, targets: TargetParser): readonly FoundRequest[] {
  if (!isObject(raw)) throw scimError('invalidSyntax', `${field} must be an object`);
  const members = QUIRKS.operationMembers.read(raw);
  const op = QUIRKS.operationCase.read(members.get('op'));
  if (!NAMES.has(op)) {
    throw scimError('invalidSyntax', `${field}.op must be add, replace or remove`);
  }
  const path = members.get('path') ?? null;
  const value = members.get('value');
  if (op !== 'remove' && value === undefined) {
    throw scimError('invalidValue', `${field}.value is missing`);
  }
  const common = { op: op as PatchOperationName, field };
  if (path === null) return withoutPath(common, value, targets);
  if (typeof path !== 'string') throw scimError('invalidPath', `${field}.path must be a text`);
  return [{ ...common, target: targets.ofPath(path), value, isNamedByPath: true }];
}

function withoutPath(
  { op, field }: Pick<Request, 'op' | 'field'>,
  value: JsonValue | undefined,
  targets: TargetParser,
): readonly FoundRequest[] {
  if (op === 'remove') throw scimError('noTarget', `${field} removes nothing: it has no path`);
  if (!isObject(value)) {
    const found = isArray(value) ? 'an array' : excerpt(String(value));
    throw scimError(
      'invalidValue',
      `${field}.value without a path must be an object, not ${found}`,
    );
  }
  if (Object.keys(value).length > MAX_NAMES) throw tooMany(MAX_NAMES, 'names of attributes');
  return QUIRKS.pathsAsNames.read(value).map(([name, part]) => {
    refusePrototype(name, part, name);
    return { op, field, target: targets.ofName(name), value: part, isNamedByPath: false };
  });
}

function valuesOf(operation: PatchOperation): number {
  return 'values' in operation ? operation.values.length : 0;
}

function tooMany(limit: number, what: string): Error {
  return scimError(
    'tooMany',
    `Operations have more than ${limit} ${what}; send fewer in one request`,
  );
}
