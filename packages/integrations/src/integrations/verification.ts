import type { CallContext, TargetCheckOptions } from '@probity/core';
import { checkOutboundTarget } from '@probity/core';
import type { Remote } from '../remote/remote.ts';
import type { MicrosoftEndpoints } from './clients.ts';
import { clientOf } from './clients.ts';
import { targetError, toSetupError } from './setup-errors.ts';
import type { Integration } from './types.ts';

/** Checks what a set-up names before it is stored. */
export interface Verification {
  /**
   * The base URL of an instance in the form in which it is stored.
   * @throws ProbityError `validation_failed` naming `instance_url`
   */
  checkInstance(url: string): Promise<string>;
  /**
   * Gets a token with the credentials.
   * @throws ProbityError `validation_failed` naming the fields at fault
   */
  verify(
    facts: Pick<Integration, 'type' | 'target' | 'clientId'>,
    clientSecret: string,
    context: Pick<CallContext, 'signal'>,
  ): Promise<void>;
}

/** Of the 10 seconds of a set-up (contract, section 8): a name's addresses, then the token. */
const LOOKUP_LIMIT_MS = 2_000;
const TOKEN_LIMIT_MS = 7_000;

/** Creates the checks. */
export function createVerification({
  remote,
  microsoft,
  targets,
}: {
  readonly remote: Remote;
  readonly microsoft: MicrosoftEndpoints;
  readonly targets: TargetCheckOptions;
}): Verification {
  return {
    async checkInstance(text) {
      // The client secret is sent there: unlike webhooks, also a loopback address needs TLS.
      if (!/^https:/i.test(text)) throw targetError('itsm', 'must be an absolute https URL');
      const check = await checkOutboundTarget(text, { ...targets, timeoutMs: LOOKUP_LIMIT_MS });
      if (!check.ok) throw targetError('itsm', check.reason);
      const { url } = check;
      if (url.search !== '') throw targetError('itsm', 'must be a base URL without a query');
      return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
    },
    async verify(facts, clientSecret, { signal }) {
      const client = clientOf(facts, clientSecret, microsoft);
      try {
        await remote.verify(client, { limitMs: TOKEN_LIMIT_MS, signal });
      } catch (error) {
        throw toSetupError(error, facts.type);
      }
    },
  };
}
