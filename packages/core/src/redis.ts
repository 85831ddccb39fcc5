export type { RedisRateLimiterOptions, RedisScripting } from './rate-limit/redis.ts';
export { createRedisRateLimiter } from './rate-limit/redis.ts';
