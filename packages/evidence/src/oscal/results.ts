import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AiSystem } from '../ai-systems/types.ts';
import type { EvidenceHead } from '../chain/types.ts';
import { CATALOGUE_DATE, CATALOGUE_VERSION } from '../obligations/catalogue.ts';
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
  /** The end of the chain, up to which records are exported; null before the first record. */
  readonly head: EvidenceHead | null;
  /** The query that narrowed the export, as text; empty for none. */
  readonly filter: string;
  /** The obligations that the export is about. */
  readonly obligations: readonly Obligation[];
  aiSystems(): AsyncIterable<readonly AiSystem[]>;
  records(): AsyncIterable<readonly Evidence[]>;
  /** The records that support an obligation. */
  recordsOf(obligationId: string): AsyncIterable<readonly Evidence[]>;
}

/**
 * Evidence as assessment results of OSCAL, in parts. A record is an observation. A finding is about the objective that
 * evidence which supports an obligation is on record, and about nothing else. The same data have the same UUIDs.
 */
export async function* toAssessmentResults(source: OscalSource): AsyncGenerator<string> {
  const { organizationId, head, filter } = source;
  const place = [organizationId, head?.hash ?? '', CATALOGUE_VERSION, filter];
  const plan = oscalUuid('resource', ...place);
  yield `{"assessment-results":{"uuid":"${oscalUuid('assessment-results', ...place)}","metadata":`;
  yield JSON.stringify(metadataOf(source));
  yield `,"import-ap":${JSON.stringify({ href: `#${plan}` })},"results":[`;
  yield objectStart(resultOf(source, oscalUuid('result', ...place)));
  const [before, after] = [',"local-definitions":{"components":[', ']}'];
  yield* listOf(source.aiSystems(), toComponent, [before, after]);
  yield* listOf(source.records(), toObservation, [',"observations":[', ']']);
  yield* findingsOf(source, place);
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
        name: toLine(organizationId),
      },
    ],
    remarks:
      'Evidence supports obligations. Whether an obligation is complied with is for people to judge.',
  };
}

function resultOf(source: OscalSource, uuid: string) {
  const controls = source.obligations.map(({ id }) => ({ 'control-id': id }));
  const selection = controls.length > 0 ? { 'include-controls': controls } : { 'include-all': {} };
  return {
    uuid,
    title: 'Evidence on record',
    description: 'The records of the organization, each with the obligations that it supports.',
    start: timeOf(source),
    'reviewed-controls': {
      'control-selections': [
        {
          description: `Obligations of the catalog at ${CATALOG_HREF}, version ${CATALOGUE_VERSION}.`,
          ...selection,
        },
      ],
    },
  };
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

async function* findingsOf(source: OscalSource, place: readonly string[]): AsyncGenerator<string> {
  let separator = ',"findings":[';
  for (const obligation of source.obligations) {
    const supporting = source.recordsOf(obligation.id)[Symbol.asyncIterator]();
    const first = await supporting.next();
    const hasSome = !first.done && first.value.length > 0;
    yield separator + objectStart(findingOf(obligation, hasSome, place));
    separator = ',';
    let start = ',"related-observations":[';
    for (let slice = first; !slice.done; slice = await supporting.next()) {
      const text = slice.value
        .map(({ id }) => {
          const related = `${start}{"observation-uuid":"${observationUuid(id)}"}`;
          start = ',';
          return related;
        })
        .join('');
      if (text !== '') yield text;
    }
    yield hasSome ? ']}' : '}';
    await nextTurn();
  }
  if (separator === ',') yield ']';
}

function findingOf(
  { id, framework, reference }: Obligation,
  hasSome: boolean,
  place: readonly string[],
) {
  const what = `${framework}, ${reference}`;
  const found = hasSome ? 'Records in this export support' : 'No record in this export supports';
  return {
    uuid: oscalUuid('finding', ...place, id),
    title: toLine(`Evidence that supports ${what}`),
    description: `${found} ${what}. This is no judgement on whether the obligation is complied with.`,
    links: [{ href: `${CATALOG_HREF}#${id}`, rel: 'reference' }],
    target: {
      type: 'objective-id',
      'target-id': objectiveIdOf(id),
      status: {
        state: hasSome ? 'satisfied' : 'not-satisfied',
        reason: 'other',
        remarks: 'Of the objective that evidence which supports the obligation is on record.',
      },
    },
  };
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
