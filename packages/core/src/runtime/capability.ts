import type { EventSubscriber } from '../events/outbox.ts';
import type { EndpointGroup } from '../http/openapi.ts';
import type { LifecyclePart } from '../lifecycle/lifecycle.ts';
import type { MetricDefinition } from '../metrics.ts';
import type { RetentionRule } from '../retention/retention.ts';
import type { SealedValues } from '../sealing/sealed-values.ts';

/**
 * All that one package brings to a program, said once: a program loops over its capabilities and
 * lists nothing itself. Migrations stand apart, in the package's `./sql`, since they are needed
 * before a database is open.
 */
export interface Capability<Services = unknown> {
  /** `webhooks`; unique in a program. */
  readonly name: string;
  /** The services, for a host that calls them itself. */
  readonly services: Services;
  /** Endpoints by their path prefix and error format. */
  readonly groups: readonly EndpointGroup[];
  /** Work that belongs to serving requests, such as writers of what requests leave behind. */
  readonly serving?: readonly LifecyclePart[];
  /** Work that any process on the database may do, such as workers over queues. */
  readonly background?: readonly LifecyclePart[];
  /** Turn events into work of the package. */
  readonly subscribers?: readonly EventSubscriber[];
  readonly retention?: readonly RetentionRule[];
  /** What is stored sealed, for key rotation. */
  readonly sealed?: readonly SealedValues[];
  /** Names of the queues that the package's jobs stand in, for metrics and `jobs list`. */
  readonly queues?: readonly string[];
  /** The metrics that the package reports. */
  readonly metrics?: readonly MetricDefinition[];
}
