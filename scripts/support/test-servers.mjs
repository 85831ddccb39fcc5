/**
 * Starts what tests share: one PostgreSQL and, where there is one, one Redis. Both end with this
 * process, however it ends.
 * @returns {Promise<{ env: Record<string, string>, stop(): Promise<void> }>}
 * @throws {Error} That says what to install when PostgreSQL is missing, or Redis is where CI is set.
 */
export async function startTestServers() {
  const { acquirePostgres, acquireRedis, redisMissing } = await import(
    '../../test/support/dist/src/index.js'
  );
  const missing = redisMissing();
  if (missing) {
    process.stderr.write(
      `Tests on Redis are left out: ${missing}. Install one to run them (Debian: apt install ` +
        'redis-server; macOS: brew install redis).\n',
    );
  }
  const postgres = await acquirePostgres();
  const redis = missing ? undefined : await acquireRedis();
  return {
    env: { TEST_POSTGRES_URL: postgres.url, ...(redis && { TEST_REDIS_URL: redis.url }) },
    stop: async () => {
      await Promise.all([postgres.stop(), redis?.stop()]);
    },
  };
}
