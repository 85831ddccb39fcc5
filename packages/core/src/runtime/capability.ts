import type { EventSubscriber } from '../events/outbox.ts';
import type { EventDependents } from '../events/retention.ts';
import type { EndpointGroup } from '../http/openapi.ts';
import type { LifecyclePart } from '../lifecycle/lifecycle.ts';
import type { MetricDefinition } from '../metrics.ts';
import type { RetentionRule } from '../retention/retention.ts';
import type { SealedValues } from '../sealing/sealed-values.ts';

/**
 * Everything that one package adds to a program, declared once: a program loops over its
 * capabilities and lists nothing itself. Migrations are separate, in the package's `./sql`, since
 * they are needed before a database is open.
 */
export interface Capability<Services = unknown> {
  /** `webhooks`; unique in a program. */
  readonly name: string;
  /** The services, for a host that calls them directly. */
  readonly services: Services;
  /** Endpoints by their path prefix and error format. */
  readonly groups: readonly EndpointGroup[];
  /** Tasks of processes that serve requests, such as writers of data that requests collect. */
  readonly serving?: readonly LifecyclePart[];
  /** Tasks that any process on the database may run, such as queue workers. */
  readonly background?: readonly LifecyclePart[];
  /** Subscribers that turn events into work of the package. */
  readonly subscribers?: readonly EventSubscriber[];
  readonly retention?: readonly RetentionRule[];
  /** Records that refer to events, removed before them by retention in batches. */
  readonly eventDependents?: readonly EventDependents[];
  /** Sealed columns, for key rotation. */
  readonly sealed?: readonly SealedValues[];
  /** Names of the package's job queues, for metrics and `jobs list`. */
  readonly queues?: readonly string[];
  /** The metrics that the package reports. */
  readonly metrics?: readonly MetricDefinition[];
}
