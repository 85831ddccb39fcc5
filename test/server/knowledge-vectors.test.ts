import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { describe, it } from 'node:test';
import { acquireRedis, redisMissing, temporaryFolder, until } from '@probity/test-support';
import { bootstrap, call, run, serve, serveProcess } from './support.ts';

const API = '/api/v1/knowledge';
const FACT = {
  claim: 'The night boat leaves from the northern pier.',
  source_url: 'https://a.example/',
};

const stores = [
  { name: 'sqlite-vec', skip: false as string | false, env: async () => ({}) },
  {
    name: 'redis',
    skip: redisMissing(),
    env: async () => ({
      PROBITY_KNOWLEDGE_VECTORS: 'redis',
      PROBITY_KNOWLEDGE_VECTORS_URL: `${(await acquireRedis()).url}/9`,
    }),
  },
];

describe('the vectors of a server', () => {
  for (const { name, skip, env } of stores) {
    it(`are made in the background, and a server that was killed goes on (${name})`, {
      skip,
    }, async (t) => {
      const folder = temporaryFolder(t, 'disk').path;
      const location = `sqlite:${folder}/probity.db`;
      const { api_key: key } = await bootstrap(location);
      const first = await serveProcess(t, location, { env: await env() });
      const added = await call(`${first.url}${API}/nuggets`, key, 'POST', FACT);
      assert.equal(added.status, 201);
      await first.program.kill9();
      const { url } = await serve(t, location, { env: await env() });
      await until(
        async () => (await call(`${url}${API}/index`, key)).body.data.status === 'current',
        'the vectors follow',
      );
      const { body } = await call(`${url}${API}/nuggets/search?q=night+boat+pier`, key);
      assert.equal(body.data[0].id, added.body.data.id);
      if (name === 'sqlite-vec') assert.equal(statSync(`${folder}/vectors.db`).mode & 0o777, 0o600);
    });
  }

  it('stop the start with a message where a setting is wrong', async (t) => {
    const cases: Array<[env: Record<string, string>, says: RegExp]> = [
      [
        { PROBITY_KNOWLEDGE_VECTORS: 'faiss' },
        /PROBITY_KNOWLEDGE_VECTORS: must be one of memory, sqlite-vec/,
      ],
      [{ PROBITY_KNOWLEDGE_VECTORS: 'pgvector' }, /pgvector needs PROBITY_KNOWLEDGE_VECTORS_URL/],
      [
        { PROBITY_EMBEDDINGS: 'openai' },
        /PROBITY_EMBEDDINGS: openai needs PROBITY_EMBEDDINGS_MODEL/,
      ],
      [
        {
          ...{ PROBITY_EMBEDDINGS: 'openai', PROBITY_EMBEDDINGS_MODEL: 'm' },
          ...{ PROBITY_EMBEDDINGS_URL: 'ftp://x', PROBITY_EMBEDDINGS_KEY: 'sk-secret' },
        },
        /PROBITY_EMBEDDINGS: baseUrl/,
      ],
    ];
    for (const [env, says] of cases) {
      const database = `sqlite:${temporaryFolder(t).path}/probity.db`;
      const program = run(t, ['serve', '--database', database], env);
      assert.equal(await program.exited, 1);
      assert.match(program.stderr, says);
      assert.ok(!`${program.stderr}${program.stdout}`.includes('sk-secret'));
    }
  });
});
