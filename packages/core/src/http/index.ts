export { COOKIES, CSRF_HEADER, readCookie, toSetCookie } from './cookies.ts';
export { credentialOf, requireCsrfToken } from './credentials.ts';
export type { ErrorDialect } from './dialect.ts';
export { generalDialect, platformDialect, scimDialect } from './dialect.ts';
export type {
  Endpoint,
  EndpointDeclaration,
  EndpointRequest,
  HttpMethod,
  Reply,
  ResponseDeclaration,
} from './endpoint.ts';
export { DEFAULT_BODY_LIMIT, endpoint, errorsOf } from './endpoint.ts';
export type { FallbackOptions } from './fallback.ts';
export { answerUnknownPaths } from './fallback.ts';
export type { EndpointGroup, OpenApiInfo } from './openapi.ts';
export { createOpenApiDocument, openApiEndpoints } from './openapi.ts';
export type { RateLimitOptions } from './rate-limits.ts';
export { openRequest, SERVER_HEADER } from './request-state.ts';
export type { RequestObservation, RouterOptions } from './router.ts';
export { createEndpointRouter } from './router.ts';
export {
  dataList,
  dataObject,
  emailText,
  nameText,
  pageInfo,
  pageQuery,
  timestamp,
} from './schemas.ts';
export type { HttpServer, HttpServerOptions, RequestHandler } from './server.ts';
export { createHttpServer } from './server.ts';
export type { HealthCheck, ServiceStatus } from './status.ts';
export { API_VERSION, probeEndpoints, statusEndpoints } from './status.ts';
