import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AiSystem } from '../ai-systems/types.ts';
import type { EvidenceHead } from '../chain/types.ts';
import { CATALOGUE_DATE, CATALOGUE_VERSION } from '../obligations/catalogue.ts';
import type { Stance } from '../obligations/stance.ts';
import { stancesOf } from '../obligations/stance.ts';
import type { Obligation } from '../obligations/types.ts';
import type { Evidence } from '../records/types.ts';
import { CATALOG_HREF, componentUuid, observationUuid, toObservation } from './observations.ts';
import {
  OSCAL_VERSION,
  objectiveIdOf,
  oscalUuid,
  toLine,
  toMarkup,
  toProperties,
} from './values.ts';

/** What assessment results are made of. Slices are read when they are asked for. */
export interface OscalSource {
  readonly organizationId: string;
  /** The name of the party; null for the organization's id. */
  readonly organizationName: string | null;
  /** Whether obligations without evidence have findings too. */
  readonly hasAllFindings: boolean;
  /** The end of the chain, up to which records are exported; null before the first record. */
  readonly head: EvidenceHead | null;
  /** The query that narrowed the export, as text; empty for none. */
  readonly filter: string;
  /** The obligations that the export is about. */
  readonly obligations: readonly Obligation[];
  aiSystems(): AsyncIterable<readonly AiSystem[]>;
  records(): AsyncIterable<readonly Evidence[]>;
  /** The records about an obligation. */
  recordsOf(obligationId: string): AsyncIterable<readonly Evidence[]>;
}

/**
 * Evidence as assessment results of OSCAL, in parts. A record is an observation. A finding is about the objective that
 * evidence which supports an obligation is on record, and none that is adverse; it is about nothing else. The same data have the same UUIDs.
 */
export async function* toAssessmentResults(source: OscalSource): AsyncGenerator<string> {
  const { organizationId, head, filter } = source;
  const { hasAllFindings } = source;
  const scope = hasAllFindings ? ['all'] : [];
  const place = [organizationId, head?.hash ?? '', CATALOGUE_VERSION, filter, ...scope];
  const plan = oscalUuid('resource', ...place);
  yield `{"assessment-results":{"uuid":"${oscalUuid('assessment-results', ...place)}","metadata":`;
  yield JSON.stringify(metadataOf(source));
  yield `,"import-ap":${JSON.stringify({ href: `#${plan}` })},"results":[`;
  yield objectStart(resultOf(source, oscalUuid('result', ...place)));
  const [before, after] = [',"local-definitions":{"components":[', ']}'];
  yield* listOf(source.aiSystems(), toComponent, [before, after]);
  yield* listOf(source.records(), toObservation, [',"observations":[', ']']);
  const found: string[] = [];
  yield* findingsOf(source, place, found);
  yield `,"reviewed-controls":${JSON.stringify(reviewedOf(found))}`;
  yield `}],"back-matter":${JSON.stringify({ resources: [resourceOf(plan)] })}}}\n`;
}

/** When the last record was made; before the first one, the date of the catalogue. */
function timeOf({ head }: OscalSource): string {
  return head?.recordedAt.toISOString() ?? CATALOGUE_DATE;
}

function metadataOf(source: OscalSource) {
  const { organizationId, head, filter } = source;
  return {
    title: 'Evidence on AI systems',
    'last-modified': timeOf(source),
    version: String(head?.sequence ?? 0),
    'oscal-version': OSCAL_VERSION,
    props: toProperties({
      'chain-end-sequence': head?.sequence ?? null,
      'chain-end-hash': head?.hash ?? null,
      'removed-through': head?.removedThrough ?? null,
      filter,
      'catalog-version': CATALOGUE_VERSION,
    }),
    links: [{ href: CATALOG_HREF, rel: 'catalog', 'media-type': 'application/json' }],
    parties: [
      {
        uuid: oscalUuid('party', organizationId),
        type: 'organization',
        name: toLine(source.organizationName ?? organizationId),
      },
    ],
    remarks:
      'Evidence supports obligations or is adverse. Whether an obligation is complied with is for people to judge. ' +
      'No lawyer has reviewed the catalog; its dates and amendments of 2026 come from secondary sources.',
  };
}

function resultOf(source: OscalSource, uuid: string) {
  return {
    uuid,
    title: 'Evidence on record',
    description: 'The records of the organization, each with the obligations that it is about.',
    start: timeOf(source),
  };
}

/** The obligations that have findings. */
function reviewedOf(ids: readonly string[]) {
  const description = `Obligations of the catalog at ${CATALOG_HREF}, version ${CATALOGUE_VERSION}.`;
  const controls = ids.map((id) => ({ 'control-id': id }));
  const selection = controls.length > 0 ? { 'include-controls': controls } : {};
  return { 'control-selections': [{ description, ...selection }] };
}

function resourceOf(uuid: string) {
  return {
    uuid,
    title: 'No assessment plan',
    description:
      'The records were made without an assessment plan of OSCAL, which the format asks for.',
  };
}

function toComponent({ id, name, description, riskClass, owner }: AiSystem) {
  const props = toProperties({ 'ai-system-id': id, 'risk-class': riskClass, owner });
  return {
    uuid: componentUuid(id),
    type: 'ai-system',
    title: toMarkup(toLine(name)),
    description: toMarkup(description ?? name),
    props,
    status: { state: 'other', remarks: 'The state of AI systems is not recorded.' },
  };
}

/** @param found receives the ids of the obligations that have findings */
async function* findingsOf(
  source: OscalSource,
  place: readonly string[],
  found: string[],
): AsyncGenerator<string> {
  let separator = ',"findings":[';
  for (const obligation of source.obligations) {
    const records = source.recordsOf(obligation.id)[Symbol.asyncIterator]();
    const first = await records.next();
    const hasSome = !first.done && first.value.length > 0;
    if (!hasSome && !source.hasAllFindings) continue;
    found.push(obligation.id);
    yield separator + objectStart(headOf(obligation, place));
    separator = ',';
    const counts = { supporting: 0, adverse: 0 };
    let start = ',"related-observations":[';
    for (let slice = first; !slice.done; slice = await records.next()) {
      const text = slice.value
        .map((record) => {
          counts[stancesOf(record).get(obligation.id) ?? 'supporting'] += 1;
          const related = `${start}{"observation-uuid":"${observationUuid(record.id)}"}`;
          start = ',';
          return related;
        })
        .join('');
      if (text !== '') yield text;
    }
    // The counts are known after the records: members of JSON have no order.
    const rest = JSON.stringify(conclusionOf(obligation, counts)).slice(1);
    yield `${hasSome ? ']' : ''},${rest}`;
    await nextTurn();
  }
  if (separator === ',') yield ']';
}

function headOf({ id, framework, reference }: Obligation, place: readonly string[]) {
  return {
    uuid: oscalUuid('finding', ...place, id),
    title: toLine(`Evidence on ${framework}, ${reference}`),
    links: [{ href: `${CATALOG_HREF}#${id}`, rel: 'reference' }],
  };
}

function conclusionOf(
  { id, framework, reference }: Obligation,
  { supporting, adverse }: Readonly<Record<Stance, number>>,
) {
  return {
    description:
      `${counted(supporting)} in this export ${supporting === 1 ? 'supports' : 'support'} ${framework}, ${reference}, ` +
      `and ${counted(adverse)} of failures ${adverse === 1 ? 'is' : 'are'} adverse. ` +
      'This does not judge whether the obligation is met.',
    props: toProperties({ 'supporting-records': supporting, 'adverse-records': adverse }),
    target: {
      type: 'objective-id',
      'target-id': objectiveIdOf(id),
      status: {
        state: supporting > 0 && adverse === 0 ? 'satisfied' : 'not-satisfied',
        reason: 'other',
        remarks:
          'Of the objective that evidence which supports the obligation is on record, and no adverse evidence.',
      },
    },
  };
}

function counted(count: number): string {
  return count === 1 ? '1 record' : `${count} records`;
}

/** The JSON of an object without its end, so that members can follow. */
function objectStart(value: object): string {
  return JSON.stringify(value).slice(0, -1);
}

/** A member that is an array, in parts; nothing when there is no element. */
async function* listOf<Item>(
  slices: AsyncIterable<readonly Item[]>,
  toElement: (item: Item) => object,
  [before, after]: readonly [string, string],
): AsyncGenerator<string> {
  let separator = before;
  for await (const slice of slices) {
    if (slice.length === 0) continue;
    yield separator + slice.map((item) => JSON.stringify(toElement(item))).join(',');
    separator = ',';
  }
  if (separator === ',') yield after;
}
