import { findObligation } from '../obligations/catalogue.ts';
import type { Stance } from '../obligations/stance.ts';
import { stancesOf } from '../obligations/stance.ts';
import type { Evidence } from '../records/types.ts';
import type { OscalProperty } from './values.ts';
import { OSCAL_NAMESPACE, oscalUuid, toLine, toMarkup, toProperties, toToken } from './values.ts';

/** Properties of a record's metadata, at most. */
const MAX_PROPERTIES = 100;

/** How what a type of records reports was found out; `UNKNOWN` for others. */
const METHODS: Readonly<Record<string, string>> = {
  evaltool_eval: 'TEST',
  runtime_summary: 'EXAMINE',
};

/** Where the catalog is, relative to the export. */
export const CATALOG_HREF = 'catalog';

/** The UUID of the observation of a record. */
export function observationUuid(recordId: string): string {
  return oscalUuid('observation', recordId);
}

/** The UUID of the component that stands for an AI system. */
export function componentUuid(aiSystemId: string): string {
  return oscalUuid('component', aiSystemId);
}

/** A record as an observation of OSCAL, with a link to each obligation, `supports` or `contradicts`, and one back to the record. */
export function toObservation(record: Evidence) {
  const { id, title, content, aiSystemId, metadata, occurredAt, createdAt } = record;
  const links = [...stancesOf(record)].flatMap(toObligationLink);
  return {
    uuid: observationUuid(id),
    title: toMarkup(toLine(title)),
    description: toMarkup(content),
    props: propertiesOf(record),
    ...(links.length > 0 ? { links } : {}),
    methods: [METHODS[record.evidenceType] ?? 'UNKNOWN'],
    types: [typeof metadata.findingType === 'string' ? 'finding' : 'control-objective'],
    ...(aiSystemId === null
      ? {}
      : { subjects: [{ 'subject-uuid': componentUuid(aiSystemId), type: 'component' }] }),
    'relevant-evidence': [
      { href: `evidence/${id}`, description: 'The record, with its place in the chain of hashes.' },
    ],
    collected: (occurredAt ?? createdAt).toISOString(),
  };
}

function toObligationLink([obligationId, stance]: readonly [string, Stance]) {
  const found = findObligation(obligationId);
  if (!found) return [];
  const text = toLine(`${found.framework}, ${found.reference}`);
  return [
    {
      href: `${CATALOG_HREF}#${obligationId}`,
      rel: stance === 'adverse' ? 'contradicts' : 'supports',
      text,
    },
  ];
}

function propertiesOf(record: Evidence): OscalProperty[] {
  const { id, evidenceType, source, sequence, hash, createdAt, labels, metadata } = record;
  return [
    ...toProperties({
      'evidence-id': id,
      'evidence-type': evidenceType,
      source,
      sequence,
      hash,
      recorded: createdAt.toISOString(),
    }),
    ...Object.entries(labels).flatMap(([name, value]) =>
      value.trim() === ''
        ? []
        : [{ name: toToken(name), ns: OSCAL_NAMESPACE, value: toLine(value), class: 'label' }],
    ),
    ...[...scalarsOf(metadata)]
      .slice(0, MAX_PROPERTIES)
      .map((property) => ({ ...property, ns: OSCAL_NAMESPACE, class: 'metadata' })),
  ];
}

/** Levels of metadata that become properties. */
const MAX_DEPTH = 4;

/** Texts, numbers and truth values of metadata, by their path. */
function* scalarsOf(
  value: unknown,
  path: readonly string[] = [],
): Generator<Pick<OscalProperty, 'name' | 'value'>> {
  if (Array.isArray(value) && path.length < MAX_DEPTH) {
    for (const each of value) yield* scalarsOf(each, path);
  } else if (typeof value === 'object' && value !== null && path.length < MAX_DEPTH) {
    for (const [name, each] of Object.entries(value)) yield* scalarsOf(each, [...path, name]);
  } else if (
    ['string', 'number', 'boolean'].includes(typeof value) &&
    String(value).trim() !== ''
  ) {
    yield { name: toToken(path.join('.')), value: toLine(String(value)) };
  }
}
