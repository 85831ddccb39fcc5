import type { Router } from '@koa/router';
import type { Endpoint, RouterOptions } from '@probity/core/koa';
import { createEndpointRouter, generalErrors } from '@probity/core/koa';
import { correctionEndpoints } from './corrections/http.ts';
import { knowledgeImportEndpoints } from './imports/http.ts';
import { nuggetEndpoints } from './nuggets/http.ts';
import { searchEndpoints } from './search/http.ts';
import type { KnowledgeServices } from './services.ts';

/** Every endpoint of the package, relative to `/api/v1`. */
export function knowledgeEndpoints({
  nuggets,
  imports,
  corrections,
  search,
}: KnowledgeServices): Endpoint[] {
  return [
    ...knowledgeImportEndpoints(imports),
    ...nuggetEndpoints(nuggets),
    ...correctionEndpoints(corrections),
    ...searchEndpoints(search),
  ];
}

/** The endpoints as a router, to be mounted at `/api/v1` or under a host's prefix. */
export function createKnowledgeRouter(services: KnowledgeServices, options: RouterOptions): Router {
  return createEndpointRouter(knowledgeEndpoints(services), generalErrors, options);
}
