export type { RedisRateLimiterOptions, RedisScripting } from './rate-limiter.ts';
export { createRedisRateLimiter } from './rate-limiter.ts';
