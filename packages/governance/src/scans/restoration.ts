import type { CallContext, Runtime, SecretBox } from '@probity/core';
import { validationError } from '@probity/core';
import type { RedactionStyle, Redactor } from '@probity/pipeline';
import { createRedactor, RedactionError, restoreTokens } from '@probity/pipeline';
import { messageFaults, restoreMessages } from '@probity/pipeline/messages';
import { missingKey } from '../missing-key.ts';
import { MAX_TEXTS } from './content.ts';

/** What takes the place of redacted values; see `RedactionStyle` of the pipeline. */
export const REDACTION_STYLES = [
  'placeholder',
  'mask',
  'token',
] as const satisfies readonly RedactionStyle[];

/** A text with tokens, and the sealed map that a scan returned. */
export interface RestoreRequest {
  readonly text: string;
  readonly redactionMap: string;
}

/** Messages with tokens, and the sealed map that a scan returned. */
export interface RestoreMessagesRequest {
  readonly messages: readonly object[];
  readonly redactionMap: string;
}

/** Turns tokens of redacted texts back into values. */
export interface Restorations {
  /**
   * The text with the values in place of their tokens; what is no token of the map stays. Nothing is stored.
   * @throws ProbityError `validation_failed` naming `redactionMap` when it is not one that a scan of this organization
   *   returned, or was sealed under a key that was removed since
   */
  restore(context: CallContext, request: RestoreRequest): Promise<string>;
  /**
   * The same for all texts of messages, within the arguments of tool calls as well.
   * @throws ProbityError `validation_failed` also with every fault of the messages
   */
  restoreMessages(
    context: CallContext,
    request: RestoreMessagesRequest,
  ): Promise<readonly object[]>;
}

/** Creates the service that restores redacted texts. */
export function createRestorations({ secretBox }: Pick<Runtime, 'secretBox'>): Restorations {
  async function withMap<Result>(
    { principal }: CallContext,
    redactionMap: string,
    restore: (sealed: string, key: Uint8Array) => Result | Promise<Result>,
  ): Promise<Result> {
    const [keyId = '', sealed = ''] = splitOnce(redactionMap);
    const keys = secretBox ? keysOf(secretBox, principal.organizationId) : [];
    const key = keys.find(({ id }) => id === keyId)?.key;
    if (!key) throw refused();
    try {
      return await restore(sealed, key);
    } catch (error) {
      if (error instanceof RedactionError) throw refused();
      throw error;
    }
  }
  return {
    restore: async (context, { text, redactionMap }) =>
      withMap(context, redactionMap, (sealed, key) => restoreTokens(text, sealed, key)),
    async restoreMessages(context, { messages, redactionMap }) {
      const faults = await messageFaults(messages, { maxTexts: MAX_TEXTS });
      if (faults.length > 0) {
        throw validationError(...faults.map(({ path: field, message }) => ({ field, message })));
      }
      return withMap(context, redactionMap, (sealed, key) =>
        restoreMessages(messages, sealed, key),
      );
    },
  };
}

/** Makes the replacements of one scan, and what the caller can restore them with. */
export interface ScanRedaction {
  readonly redactor: Redactor;
  /** The tokens with their values, sealed for the organization; null for the other styles. */
  seal(): string | null;
}

/**
 * @throws ProbityError `validation_failed` naming `redaction` for tokens without an encryption key, or an unknown
 *   style
 */
export function createScanRedaction(
  { secretBox }: Pick<Runtime, 'secretBox'>,
  { principal }: CallContext,
  style: RedactionStyle,
): ScanRedaction {
  if (!REDACTION_STYLES.includes(style)) {
    throw validationError({
      field: 'redaction',
      message: `must be one of ${REDACTION_STYLES.join(', ')}`,
    });
  }
  const redactor = createRedactor({ style });
  if (style !== 'token') return { redactor, seal: () => null };
  if (!secretBox) throw missingKey('redaction');
  const [sealing] = keysOf(secretBox, principal.organizationId);
  if (!sealing) throw new Error('A secret box has a key.');
  return { redactor, seal: () => `${sealing.id}.${redactor.seal(sealing.key)}` };
}

/** Keys of the organization alone, so that a map of another one does not open. */
function keysOf(secretBox: SecretBox, organizationId: string) {
  return secretBox.deriveKeys(`governance redaction:${organizationId}`);
}

function splitOnce(text: string): string[] {
  const at = text.indexOf('.');
  return at < 0 ? [] : [text.slice(0, at), text.slice(at + 1)];
}

function refused() {
  return validationError({
    field: 'redactionMap',
    message: 'is not a map that a scan of this organization returned, or its key was removed',
  });
}
