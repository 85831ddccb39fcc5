// What turns capabilities into a program: background work, retention and metrics as loops over them.
export { createBackground, createProgramRetention, queuesOf } from './background.ts';
export type { ExposedMetrics } from './metrics.ts';
export { exposeMetrics, metricsOf } from './metrics.ts';
