import type { Page, PageOf, Storage, TransactionOf } from '@probity/core';
import type { ReplacedValue, SealedValue } from '@probity/core/internal';
import type { ProtectedText, StoredProtectedText } from './types.ts';

/** How many protected texts an organization has, and their length in all; it has at most 200. */
export interface ProtectedExtent {
  readonly count: number;
  readonly length: number;
}

/** Reads of protected texts. */
export interface ProtectedTextReads {
  /** A number that changes with every change of the organization's protected texts; 0 while there was none. */
  protectedTextGeneration(organizationId: string): Promise<number>;
  /** All of the organization, oldest first, ties by id. */
  readProtectedTexts(organizationId: string): Promise<readonly StoredProtectedText[]>;
  /** A page of the same, without texts. */
  listProtectedTexts(organizationId: string, page: Page): Promise<PageOf<ProtectedText>>;
  /** Null when the organization has no protected text with this id. */
  findProtectedText(organizationId: string, id: string): Promise<StoredProtectedText | null>;
  protectedTextExtent(organizationId: string): Promise<ProtectedExtent>;
  /** Up to `limit` texts after the row `after` that are sealed under another key, by id. */
  listSealedProtectedTexts(
    exceptKeyId: string,
    after: string,
    limit: number,
  ): Promise<SealedValue[]>;
}

/** Writes of protected texts. Each changes the generation of the organization, except `replaceSealedProtectedText`. */
export interface ProtectedTextWrites {
  insertProtectedText(text: StoredProtectedText): Promise<void>;
  /** Replaces the organization's protected text with the same id. */
  replaceProtectedText(text: StoredProtectedText): Promise<void>;
  /** Returns false when the organization has no protected text with this id. */
  deleteProtectedText(organizationId: string, id: string): Promise<boolean>;
  /** Stores a resealed text if the row still holds the former one. */
  replaceSealedProtectedText(value: ReplacedValue): Promise<void>;
}

/** Storage of protected texts, which are deleted with their organization. */
export type ProtectedTextStorage = Storage<ProtectedTextReads, ProtectedTextWrites>;

/** The operations within a transaction of the storage. */
export type ProtectedTextTransaction = TransactionOf<ProtectedTextStorage>;
