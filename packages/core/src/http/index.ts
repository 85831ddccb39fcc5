export type { RateLimitOptions } from '../rate-limit/rate-limit.ts';
export type { ScopedTokenDependencies, ScopedTokens } from '../scoped-tokens/authentication.ts';
export { createScopedTokens } from '../scoped-tokens/authentication.ts';
export type { ApplicationMiddlewareOptions } from './application.ts';
export { createApplicationMiddleware } from './application.ts';
export { receiveBody } from './body.ts';
export { COOKIES, CSRF_HEADER, readCookie, toSetCookie } from './cookies.ts';
export { allowOrigins } from './cors.ts';
export { credentialOf, requireCsrfToken } from './credentials.ts';
export type {
  GroupDocumentation,
  OperationExample,
  OperationExamples,
  WebhookDocumentation,
  WebhookHeader,
} from './documentation.ts';
export type {
  BodyMemory,
  Deprecation,
  Endpoint,
  EndpointDeclaration,
  EndpointRequest,
  HttpMethod,
  ScopedAccess,
  StreamedBody,
} from './endpoint.ts';
export { DEFAULT_BODY_LIMIT, endpoint, errorsOf, stream } from './endpoint.ts';
export type { ErrorFormat } from './error-format.ts';
export { generalErrors, platformErrors, scimErrors } from './error-format.ts';
export { HTTP_METRICS, HTTP_REQUEST_DURATION, HTTP_REQUESTS } from './metrics.ts';
export type { EndpointGroup, GroupRouting, OpenApiInfo } from './openapi.ts';
export { createOpenApiDocument, openApiEndpoints } from './openapi.ts';
export { toJsonSchema } from './openapi-schemas.ts';
export type { ApplicationOptions, RenderedMetrics, SurroundingsOptions } from './program.ts';
export {
  createApplication,
  createErrorFormatOf,
  createMetricsApplication,
  createProgramGroups,
} from './program.ts';
export type {
  Reply,
  ReplyExtras,
  ReplyFunction,
  ResponseDeclaration,
  ResponseDeclarations,
  StreamedChunks,
} from './reply.ts';
export { openRequest, SERVER_HEADER } from './request-state.ts';
export { createEndpointMiddleware, createEndpointRouter } from './router.ts';
export type { AnsweredRequest, FailedAnswer, RouterOptions } from './router-options.ts';
export {
  dataList,
  dataObject,
  emailText,
  instant,
  nameText,
  oneOf,
  pageInfo,
  pageQuery,
  timestamp,
} from './schemas.ts';
export { secretText } from './secret-fields.ts';
export type { HttpServer, HttpServerOptions, RequestHandler, ServerTls } from './server.ts';
export { createHttpServer } from './server.ts';
export type { HealthCheck, ServiceStatus } from './status.ts';
export { API_INFO, API_VERSION, probeEndpoints, statusEndpoints } from './status.ts';
