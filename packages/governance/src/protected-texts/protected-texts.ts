import { createHash } from 'node:crypto';
import type {
  AuditFields,
  CallContext,
  Page,
  PageOf,
  Runtime,
  SealedValues,
  SecretBox,
} from '@probity/core';
import { notFound, ProbityError } from '@probity/core';
import {
  changedFields,
  createSealedValues,
  requireContext,
  validate,
} from '@probity/core/internal';
import { missingKey } from '../missing-key.ts';
import {
  MAX_PROTECTED_TEXTS,
  MAX_TOTAL_LENGTH,
  newProtectedText,
  protectedTextChanges,
} from './input.ts';
import type { ProtectedTextStorage, ProtectedTextTransaction } from './storage.ts';
import type {
  NewProtectedText,
  ProtectedText,
  ProtectedTextChanges,
  ReadProtectedText,
  StoredProtectedText,
} from './types.ts';

/**
 * The protected texts of the caller's organization, for the stage `contamination_check`. A change holds for every scan
 * that begins after it, on every instance.
 */
export interface ProtectedTextService {
  /**
   * @throws ProbityError `validation_failed` with every bad field, or without an encryption key; `conflict` when the
   *   organization has 200 protected texts, or 1,000,000 characters of them
   */
  create(context: CallContext, input: NewProtectedText): Promise<ProtectedText>;
  /** Oldest first, without their texts. */
  list(context: CallContext, page: Page): Promise<PageOf<ProtectedText>>;
  /** @throws ProbityError `not_found` when the organization has none with this id */
  get(context: CallContext, id: string): Promise<ReadProtectedText>;
  /** @throws ProbityError `not_found`, `validation_failed` or `conflict` */
  update(context: CallContext, id: string, changes: ProtectedTextChanges): Promise<ProtectedText>;
  /** @throws ProbityError `not_found` */
  remove(context: CallContext, id: string): Promise<void>;
}

/** Dependencies of the service beside a runtime. */
export interface ProtectedTextOptions {
  readonly storage: ProtectedTextStorage;
}

/** Creates the service of protected texts. */
export function createProtectedTexts(
  runtime: Runtime,
  { storage }: ProtectedTextOptions,
): ProtectedTextService {
  return {
    create: (context, input) => createText(runtime, storage, context, input),
    update: (context, id, changes) => updateText(runtime, storage, context, id, changes),
    remove: (context, id) => removeText(runtime, storage, context, id),
    list: ({ principal }, page) => storage.listProtectedTexts(principal.organizationId, page),

    async get({ principal }, id) {
      const { sealedText, ...found } = await find(storage, principal.organizationId, id);
      return { ...found, text: requireBox(runtime).open(sealedText, purposeOf(id)) };
    },
  };
}

/** The text of a stored row. */
export function openProtectedText(
  runtime: Pick<Runtime, 'secretBox'>,
  { id, sealedText }: StoredProtectedText,
): string {
  return requireBox(runtime).open(sealedText, purposeOf(id));
}

/** The sealed protected texts, for key rotation. */
export function sealedProtectedTexts(storage: ProtectedTextStorage): SealedValues {
  return createSealedValues<ProtectedTextTransaction>(storage, {
    name: 'protected_texts',
    purposeOf,
    list: (exceptKeyId, after, limit) =>
      storage.listSealedProtectedTexts(exceptKeyId, after, limit),
    replaceOne: (tx, value) => tx.replaceSealedProtectedText(value),
  });
}

function purposeOf(id: string): string {
  return `protected text:${id}`;
}

function requireBox({ secretBox }: Pick<Runtime, 'secretBox'>): SecretBox {
  if (secretBox) return secretBox;
  throw missingKey('text');
}

async function find(
  reads: Pick<ProtectedTextStorage, 'findProtectedText'>,
  organizationId: string,
  id: string,
): Promise<StoredProtectedText> {
  const found = await reads.findProtectedText(organizationId, id);
  if (!found) throw notFound('protected text');
  return found;
}

async function createText(
  runtime: Runtime,
  storage: ProtectedTextStorage,
  context: CallContext,
  input: NewProtectedText,
): Promise<ProtectedText> {
  requireContext('createProtectedText', context);
  const { name, kind = 'text', text } = validate(newProtectedText, input, 'input');
  const { audit, clock, ids, tenants } = runtime;
  const { organizationId } = context.principal;
  const id = ids.next('ptx');
  const now = clock.now();
  const created = {
    id,
    organizationId,
    name,
    kind,
    ...factsOf(text),
    createdAt: now,
    updatedAt: now,
  };
  const sealedText = requireBox(runtime).seal(text, purposeOf(id));
  await tenants?.ensure(organizationId, context);
  await storage.withTenantLock(context, organizationId, async (tx) => {
    await requireRoom(tx, organizationId, 1, text.length);
    await tx.insertProtectedText({ ...created, sealedText });
    const after = auditFieldsOf(created);
    await audit.record(tx, context, 'protected_text.created', targetOf(id), { after });
  });
  return created;
}

async function updateText(
  runtime: Runtime,
  storage: ProtectedTextStorage,
  context: CallContext,
  id: string,
  changes: ProtectedTextChanges,
): Promise<ProtectedText> {
  requireContext('updateProtectedText', context);
  const { name, text } = validate(protectedTextChanges, changes, 'changes');
  const { audit, clock, tenants } = runtime;
  const { organizationId } = context.principal;
  await tenants?.ensure(organizationId, context);
  return storage.withTenantLock(context, organizationId, async (tx) => {
    const { sealedText: sealedBefore, ...before } = await find(tx, organizationId, id);
    const given = text === undefined ? {} : factsOf(text);
    const after = { ...before, name: name ?? before.name, ...given };
    const change = changedFields(auditFieldsOf(before), auditFieldsOf(after));
    if (Object.keys(change.after).length === 0) return before;
    await requireRoom(tx, organizationId, 0, after.length - before.length);
    const updated = { ...after, updatedAt: clock.now() };
    const sealedText =
      text === undefined ? sealedBefore : requireBox(runtime).seal(text, purposeOf(id));
    await tx.replaceProtectedText({ ...updated, sealedText });
    await audit.record(tx, context, 'protected_text.updated', targetOf(id), change);
    return updated;
  });
}

async function removeText(
  { audit }: Runtime,
  storage: ProtectedTextStorage,
  context: CallContext,
  id: string,
): Promise<void> {
  const { organizationId } = context.principal;
  await storage.withTenantLock(context, organizationId, async (tx) => {
    const removed = await find(tx, organizationId, id);
    await tx.deleteProtectedText(organizationId, id);
    const before = auditFieldsOf(removed);
    await audit.record(tx, context, 'protected_text.deleted', targetOf(id), { before });
  });
}

async function requireRoom(
  tx: ProtectedTextTransaction,
  organizationId: string,
  more: number,
  moreLength: number,
): Promise<void> {
  const { count, length } = await tx.protectedTextExtent(organizationId);
  if (count + more > MAX_PROTECTED_TEXTS) {
    const limit = `the maximum of ${MAX_PROTECTED_TEXTS} protected texts`;
    throw new ProbityError('conflict', `The organization already has ${limit}; delete one first.`);
  }
  if (moreLength <= 0 || length + moreLength <= MAX_TOTAL_LENGTH) return;
  throw new ProbityError(
    'conflict',
    `The protected texts of an organization may have ${MAX_TOTAL_LENGTH} characters in all; it has ${length}.`,
  );
}

function factsOf(text: string): Pick<ProtectedText, 'length' | 'hash'> {
  return { length: text.length, hash: createHash('sha256').update(text).digest('hex') };
}

/** Never the text. */
function auditFieldsOf({ name, kind, length, hash }: ProtectedText): AuditFields {
  return { name, kind, length, hash };
}

function targetOf(id: string) {
  return { type: 'protected_text', id };
}
