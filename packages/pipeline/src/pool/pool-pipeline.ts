import type { Pipeline } from '../pipeline.ts';
import { createPipeline } from '../pipeline.ts';
import type { PoolSource } from './messages.ts';

/**
 * Makes the pipeline of a thread.
 *
 * @throws PipelineConfigError for a wrong configuration, TypeError for a module without a pipeline
 */
export async function createPoolPipeline({ config, module }: PoolSource): Promise<Pipeline> {
  if (module === undefined) return createPipeline(config);
  const { pipeline } = (await import(module)) as { readonly pipeline?: Pipeline };
  if (typeof pipeline?.scan === 'function') return pipeline;
  throw new TypeError(`createScanPool: ${module} does not export a pipeline.`);
}
