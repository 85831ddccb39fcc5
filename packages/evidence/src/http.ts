import type { Router } from '@koa/router';
import type { Endpoint, RouterOptions } from '@probity/core/koa';
import { createEndpointRouter, generalErrors } from '@probity/core/koa';
import { aiSystemEndpoints } from './ai-systems/http.ts';
import { chainEndpoints } from './chain/http.ts';
import { coverageEndpoints } from './coverage/http.ts';
import { evidenceExportEndpoints } from './exports/http.ts';
import { evidenceImportEndpoints } from './imports/http.ts';
import { evidenceRecordEndpoints } from './records/http.ts';
import { reportEndpoints } from './report/http.ts';
import type { EvidenceServices } from './services.ts';
import { trendEndpoints } from './trend/http.ts';

/** Every endpoint of evidence, relative to `/api/v1`. */
export function evidenceEndpoints(services: EvidenceServices): Endpoint[] {
  const { aiSystems, records, imports, exports, coverage, trend, report, verify } = services;
  return [
    ...aiSystemEndpoints(aiSystems),
    ...chainEndpoints(verify),
    ...evidenceImportEndpoints(imports),
    ...evidenceExportEndpoints(exports),
    ...evidenceRecordEndpoints(records),
    ...coverageEndpoints(coverage),
    ...trendEndpoints(trend),
    ...reportEndpoints(report),
  ];
}

/** The endpoints of evidence as a router, to be mounted at `/api/v1` or under a host's prefix. */
export function createEvidenceRouter(services: EvidenceServices, options: RouterOptions): Router {
  return createEndpointRouter(evidenceEndpoints(services), generalErrors, options);
}
