import { createHash } from 'node:crypto';
import type { KeptObject } from '../json/shape.ts';
import { isName } from '../redaction/label.ts';
import type { EvaluationProvider } from '../types.ts';
import { objectOf, textOf } from './values.ts';
import type { Warnings } from './warnings.ts';

/** Longest id that is read as a URL. */
const MAX_URL = 8_192;

/** Longest provider id that is kept. */
const MAX_PROVIDER_ID = 300;

/** The provider of a result. Hashes replace an id and a label that are not names, so that they stay different. */
export function providerOf(result: KeptObject, warnings: Warnings): EvaluationProvider {
  const provider = result.get('provider');
  const id = textOf(provider) ?? textOf(objectOf(provider).get('id'));
  const given = textOf(objectOf(provider).get('label'));
  // The tool labels a provider without a label with its id.
  const label = given === id ? null : labelOf(given);
  if (id === null || id === '') {
    warnings.add('# without a provider id: the provider is recorded as unknown.');
    return { id: 'unknown', label };
  }
  const shown = withoutCredentials(id);
  if (shown !== null && isProviderId(shown)) return { id: shown, label };
  warnings.add('# with a provider id that is no name: a hash is recorded in its place.');
  return { id: `provider-${hashOf(id).slice(0, 16)}`, label };
}

function labelOf(label: string | null): string | null {
  if (label === null || label === '') return null;
  return isName(label) ? label : `label-${hashOf(label).slice(0, 16)}`;
}

/**
 * An id that is a URL without user, password, query and fragment, which may hold keys; a part of the whole id's
 * hash tells apart those that differ in them. Null when a URL cannot be read.
 */
function withoutCredentials(id: string): string | null {
  if (!/^(?:https?|wss?):/i.test(id)) return id;
  if (id.length > MAX_URL || !URL.canParse(id)) return null;
  const { protocol, username, password, host, pathname, search, hash } = new URL(id);
  if (username + password + search + hash === '') return id;
  return `${protocol}//${host}${pathname}~${hashOf(id).slice(0, 8)}`;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function isProviderId(id: string): boolean {
  return id.length <= MAX_PROVIDER_ID && id.isWellFormed() && !/\p{Cc}/u.test(id);
}
