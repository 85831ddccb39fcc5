import { z } from 'zod';
import { RemoteFailure } from '../remote/failure.ts';
import type { OAuthClient } from '../remote/oauth.ts';
import type { CallOptions, Remote } from '../remote/remote.ts';
import type { Incident, NewIncident } from './types.ts';

/** A ServiceNow instance and the client that calls it. */
interface Instance {
  /** Base URL without a trailing slash. */
  readonly url: string;
  readonly client: OAuthClient;
}

/** Identifies what an incident is about, so that there is one incident for it. */
export interface Correlation {
  /** Letters, digits, `-` and `_`, at most 100. */
  readonly id: string;
  /** Earlier incidents are about something else; default none is. */
  readonly since?: Date | undefined;
}

/** The incident table of ServiceNow (Table API). */
export interface ServiceNow {
  /**
   * Creates an incident; with a correlation, only where the instance has none with its id.
   * @throws RemoteFailure
   */
  createIncident(
    instance: Instance,
    incident: NewIncident,
    correlation: Correlation | null,
    options?: CallOptions,
  ): Promise<Incident>;
  /**
   * Reads at most one incident, which proves that the client may.
   * @throws RemoteFailure
   */
  probe(instance: Instance, options?: CallOptions): Promise<void>;
}

const TABLE = '/api/now/table/incident';
/** The name of the other system that the instance shows beside the correlation's id. */
const CORRELATION_DISPLAY = 'Probity';
/** So that a look-up and what follows end soon enough for a caller that waits. */
const LOOKUP_LIMIT_MS = 5_000;
const FIELDS = 'sys_id,number,correlation_id,sys_created_on';

const record = z.object({ sys_id: z.string().min(1), number: z.string().min(1) });
const created = z.object({ result: record });
const found = z.object({
  result: z.array(record.extend({ correlation_id: z.string(), sys_created_on: z.string() })),
});
const listed = z.object({ result: z.array(z.unknown()) });

/** Creates the client of the Table API. */
export function createServiceNow(remote: Remote): ServiceNow {
  const read = async <T>(
    schema: z.ZodType<T>,
    { url, client }: Instance,
    query: Record<string, string>,
    options?: CallOptions,
  ): Promise<T> => {
    const address = `${url}${TABLE}?${new URLSearchParams(query)}`;
    return parse(schema, await remote.call(client, { method: 'GET', url: address }, options));
  };

  const findIncident = async (
    instance: Instance,
    { id, since }: Correlation,
    options?: CallOptions,
  ): Promise<Incident | null> => {
    const { result } = await read(
      found,
      instance,
      {
        sysparm_query: `correlation_id=${id}^ORDERBYDESCsys_created_on`,
        sysparm_fields: FIELDS,
        sysparm_display_value: 'false',
        sysparm_limit: '1',
      },
      { ...options, limitMs: LOOKUP_LIMIT_MS },
    );
    // An instance passes over a condition on a field that the client may not read.
    const own = result.find(({ correlation_id }) => correlation_id === id);
    if (!own || (since && toTime(own.sys_created_on) < since.getTime())) return null;
    return toIncident(instance, own);
  };

  return {
    async createIncident(instance, incident, correlation, options) {
      const known = correlation && (await findIncident(instance, correlation, options));
      if (known) return known;
      const fields = 'sysparm_fields=sys_id,number';
      const url = `${instance.url}${TABLE}?${fields}`;
      const json = toRecord(incident, correlation);
      const answer = await remote.call(instance.client, { method: 'POST', url, json }, options);
      return toIncident(instance, parse(created, answer, true).result);
    },
    async probe(instance, options) {
      const query = { sysparm_fields: 'sys_id', sysparm_limit: '1' };
      await read(listed, instance, query, options);
    },
  };
}

/** The record's values; the Table API takes them as texts. */
function toRecord(incident: NewIncident, correlation: Correlation | null): Record<string, string> {
  const given = Object.entries(incident).filter(([, value]) => value !== undefined);
  return {
    ...Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
    ...(correlation
      ? { correlation_id: correlation.id, correlation_display: CORRELATION_DISPLAY }
      : {}),
  };
}

function toIncident({ url }: Instance, { sys_id: id, number }: z.infer<typeof record>): Incident {
  const page = encodeURIComponent(`incident.do?sys_id=${id}`);
  return { id, number, url: `${url}/nav_to.do?uri=${page}` };
}

/** `2026-01-31 23:59:59` in UTC, as the instance stores times. */
function toTime(text: string): number {
  return Date.parse(`${text.replace(' ', 'T')}Z`);
}

function parse<T>(schema: z.ZodType<T>, answer: unknown, mayHaveTakenEffect = false): T {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  const message = 'The system did not answer as the Table API of ServiceNow does.';
  throw new RemoteFailure('unanswered', message, { mayHaveTakenEffect });
}
