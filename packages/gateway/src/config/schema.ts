import { z } from 'zod';
import { cachingKeys, complianceKeys, databaseKeys, embeddingKeys } from './data-keys.ts';
import { key } from './key-kinds.ts';
import { mcpKeys } from './mcp-keys.ts';
import { loggingKeys, monitoringKeys, observabilityKeys } from './operation-keys.ts';
import { allowlistKeys, scanningKeys } from './scanning-keys.ts';
import { auditKeys, modelKeys, rateLimitKeys, securityKeys, serverKeys } from './service-keys.ts';
import { stageConfigKeys } from './stage-keys.ts';

/**
 * Every key of the configuration: its type, range, default, meaning, and what a reload does with it. The
 * one declaration from which the checks, the defaults, the JSON Schema, the example file and the
 * reference page come.
 */
export const configurationSchema = z
  .strictObject({
    server: serverKeys,
    database: databaseKeys,
    logging: loggingKeys,
    observability: observabilityKeys,
    scanning: scanningKeys,
    stage_config: stageConfigKeys,
    allowlists: allowlistKeys,
    models: modelKeys,
    mcp: mcpKeys,
    caching: cachingKeys,
    embeddings: embeddingKeys,
    compliance: complianceKeys,
    monitoring: monitoringKeys,
    audit: auditKeys,
    rate_limiting: rateLimitKeys,
    security: securityKeys,
    pii_detection: key(
      z.boolean().optional(),
      'L',
      'Deprecated (version 1): whether `pii_scanner` is on. Use `scanning.stages`.',
    ),
    pii_threshold: key(
      z.number().min(0).max(1).optional(),
      'L',
      'Deprecated (version 1): the threshold of `pii_scanner`. Use `stage_config.pii_scanner.threshold`.',
    ),
  })
  .meta({ title: 'Configuration of probity-gateway' });

/** The values of a configuration file, with every default. */
export type ConfigurationValues = z.output<typeof configurationSchema>;
