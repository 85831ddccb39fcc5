import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestClock } from '@probity/test-support';
import type { CallContext, Grant, Principal } from '../../src/context.ts';
import { systemRandom } from '../../src/crypto/random.ts';
import { mintToken } from '../../src/crypto/tokens.ts';
import { createRuntime } from '../../src/runtime/runtime.ts';
import type { TokenIssuers } from '../../src/scoped-tokens/authentication.ts';
import { createScopedTokens } from '../../src/scoped-tokens/authentication.ts';
import { issueScopedToken, MAX_SCOPED_TOKENS } from '../../src/scoped-tokens/issuance.ts';
import type { TokenIssuer } from '../../src/scoped-tokens/types.ts';
import { createMemoryDatabase } from '../../src/storage/memory.ts';
import { withTenant } from '../../src/testing/fixtures.ts';
import { newScopedToken } from '../../src/testing/records.ts';

const GRANT: Grant = { scopes: ['webhooks:view'], resourceIds: ['whk_1'] };

async function createWorld(issuers?: TokenIssuers) {
  const database = createMemoryDatabase();
  const { context } = await withTenant({ database });
  const clock = createTestClock();
  const runtime = createRuntime({ database, clock });
  const inTransaction = <T>(work: (tx: ReturnType<typeof database.kernel>) => Promise<T>) =>
    database.transaction((session) => work(database.kernel(session)));
  const scopedTokens = createScopedTokens({ database, clock, issuers });
  return {
    database,
    context,
    clock,
    inTransaction,
    issue: (by: CallContext = context) =>
      inTransaction((tx) =>
        issueScopedToken(runtime, tx, by, { kind: 'ppt_', grant: GRANT, expiresInSeconds: 60 }),
      ),
    authenticate: (token: string) => scopedTokens.authenticate({ token, address: '192.0.2.1' }),
    confirm: (token: string) =>
      database.transaction((session) => scopedTokens.confirm(token, session)),
    recognizes: scopedTokens.recognizes,
  };
}

describe('a token of limited scope', () => {
  it('is its issuer with its own id and grant', async () => {
    const { issue, authenticate, confirm, context, recognizes } = await createWorld();
    const { issued, token } = await issue();
    assert.match(token, /^ppt_[0-9A-Za-z]{38}$/);
    assert.equal(recognizes(token), true);
    const expected = { ...context.principal, keyId: issued.id, grant: GRANT };
    assert.deepEqual(await authenticate(token), expected);
    assert.deepEqual(await confirm(token), expected);
  });

  it('is no session of a person, though a person who signed in made it', async () => {
    const { issue, authenticate, context } = await createWorld();
    const principal = { ...context.principal, keyId: 'ses_1', sessionId: 'ses_1' };
    const { token } = await issue({ ...context, principal });
    assert.equal((await authenticate(token))?.sessionId, undefined);
  });

  it('ends at its expiry and with its deletion', async () => {
    const world = await createWorld();
    const [first, second] = [await world.issue(), await world.issue()];
    await world.inTransaction((tx) =>
      tx.deleteScopedToken(world.context.principal.organizationId, 'ppt_', first.issued.id),
    );
    const isValid = async (token: string) =>
      (await world.authenticate(token)) !== null && (await world.confirm(token)) !== null;
    assert.deepEqual([await isValid(first.token), await isValid(second.token)], [false, true]);
    await world.clock.advance(59_999);
    assert.equal(await isValid(second.token), true);
    await world.clock.advance(1);
    assert.equal(await isValid(second.token), false);
  });

  it('is unknown when it was mistyped, made elsewhere, or is of another kind', async () => {
    const { authenticate, issue } = await createWorld();
    const { token } = await issue();
    const wrong = [token.slice(0, -1), `${token}0`, token.replace('ppt_', 'pbk_')];
    for (const each of [...wrong, mintToken('ppt_', systemRandom), 'ppt_', '']) {
      assert.equal(await authenticate(each), null, each);
    }
  });

  it('issues no further tokens', async () => {
    const { issue, context } = await createWorld();
    const principal: Principal = { ...context.principal, grant: GRANT };
    await assert.rejects(issue({ ...context, principal }), { kind: 'forbidden' });
  });

  it('is refused beyond the largest number in force', async () => {
    const { issue, context, clock, inTransaction } = await createWorld();
    const { organizationId } = context.principal;
    const expiresAt = new Date(clock.now().getTime() + 1);
    await inTransaction(async (tx) => {
      for (let index = 1; index < MAX_SCOPED_TOKENS; index += 1) {
        await tx.insertScopedToken(newScopedToken(organizationId, { expiresAt }));
      }
    });
    await issue();
    await assert.rejects(issue(), { kind: 'conflict', message: /10000 tokens/ });
    await clock.advance(1);
    await issue();
  });
});

describe('the issuer of a token of limited scope', () => {
  const issuersWith = (now: Partial<TokenIssuer> | null): TokenIssuers => ({
    identify: async (issuer) => now && { ...issuer, ...now },
    confirm: async (issuer) => now && { ...issuer, ...now },
  });

  it('takes the token with it when its credential ends', async () => {
    const { issue, authenticate, confirm } = await createWorld(issuersWith(null));
    const { token } = await issue();
    assert.deepEqual([await authenticate(token), await confirm(token)], [null, null]);
  });

  it('takes rights from the token when it loses them, and gives it none that it gets', async () => {
    const lowered = await createWorld(issuersWith({ role: 'viewer', plan: 'free' }));
    const { token } = await lowered.issue();
    for (const now of [await lowered.authenticate(token), await lowered.confirm(token)]) {
      assert.deepEqual([now?.role, now?.plan], ['viewer', 'free']);
    }
    const raised = await createWorld(issuersWith({ role: 'owner' }));
    const principal: Principal = { ...raised.context.principal, role: 'member' };
    const issued = await raised.issue({ ...raised.context, principal });
    assert.equal((await raised.authenticate(issued.token))?.role, 'member');
  });
});
