export { DIRECTORY_ADDRESSES } from './addresses.ts';
export {
  deltasOf,
  messageAnswer,
  messageEvents,
  TEXT_BLOCK,
  TOOL_BLOCK,
} from './anthropic-answers.ts';
export {
  createTestAuthority,
  type TestAuthority,
  type TestCertificate,
  testAuthority,
  testCertificate,
} from './certificate.ts';
export { chatAnswer, chatEvents, inDeltas } from './chat-answers.ts';
export { createTestClock, type TestClock } from './clock.ts';
export { assertCpuBelow, assertLinearTime } from './cpu-time.ts';
export { type CurlTarget, runCurlBlocks } from './curl-blocks.ts';
export {
  describeEmbeddingHost,
  type EmbeddingHost,
  type HostDatabase,
} from './embedding-host.ts';
export { describeExampleHost, type ExampleHost } from './example-host.ts';
export { freePort } from './free-port.ts';
export { heldBytes } from './held-memory.ts';
export {
  MICROSOFT_CHANNEL,
  MICROSOFT_CHAT,
  MICROSOFT_CLIENT,
  type MicrosoftPeer,
  startMicrosoftPeer,
} from './microsoft-peer.ts';
export { type NginxServer, nginxMissing, startNginx } from './nginx.ts';
export type { PeerFailure } from './oauth-peer.ts';
export { createOutputLines, type OutputLine, type OutputLines } from './output-lines.ts';
export { pgBouncerMissing, startPgBouncer } from './pgbouncer.ts';
export {
  acquirePostgres,
  createTestDatabase,
  type PostgresServer,
  type TestDatabase,
} from './postgres.ts';
export { createPreparedDatabase, type Preparation } from './prepared-databases.ts';
export { type Program, type ProgramOptions, spawnProgram } from './process.ts';
export { type RawBehavior, type RawReceiver, startRawReceiver } from './raw-receiver.ts';
export {
  type HttpsReceiver,
  type ReceiverHandler,
  type ReceiverOptions,
  type ReceiverReply,
  startHttpsReceiver,
} from './receiver.ts';
export { acquireRedis, findRedis, type RedisServer, redisMissing } from './redis.ts';
export type { ReceivedRequest, RequestPredicate } from './request-log.ts';
export {
  SERVICE_NOW_CLIENT,
  type ServiceNowPeer,
  startServiceNowPeer,
} from './service-now-peer.ts';
export { decodeMailText, type SmtpPeer, startSmtpPeer } from './smtp-peer.ts';
export {
  type TemporaryFolder,
  type TemporaryStorage,
  type TestLifetime,
  temporaryFolder,
  temporaryRoot,
} from './temporary-folder.ts';
export { countTurns } from './turns.ts';
export { PATIENCE_MS, until } from './until.ts';
