import {
  CATALOGUE_DATE,
  CATALOGUE_VERSION,
  FRAMEWORK_SOURCES,
  OBLIGATIONS,
} from '../obligations/catalogue.ts';
import type { Framework, Obligation } from '../obligations/types.ts';
import { FRAMEWORKS } from '../obligations/types.ts';
import type { OscalCatalog } from './schemas.ts';
import type { OscalProperty } from './values.ts';
import {
  OSCAL_NAMESPACE,
  OSCAL_VERSION,
  objectiveIdOf,
  oscalUuid,
  toLine,
  toProperties,
  toToken,
} from './values.ts';

/** The obligations as a catalog of OSCAL, those of one framework or all. */
export function toOscalCatalog(framework?: Framework): OscalCatalog {
  const frameworks = framework === undefined ? FRAMEWORKS : [framework];
  return {
    catalog: {
      uuid: oscalUuid('catalog', CATALOGUE_VERSION, framework ?? ''),
      metadata: {
        title: `Obligations that evidence can support${framework === undefined ? '' : `: ${framework}`}`,
        'last-modified': CATALOGUE_DATE,
        version: CATALOGUE_VERSION,
        'oscal-version': OSCAL_VERSION,
        remarks:
          'Numbers are facts; titles are the words of this catalog and no substitute for the text of the frameworks. ' +
          'Evidence supports an obligation; whether it is complied with is for people to judge.',
      },
      groups: frameworks.map(toGroup),
    },
  };
}

function toGroup(framework: Framework): OscalCatalog['catalog']['groups'][number] {
  return {
    id: toToken(framework.toLowerCase()).replace(/-+$/, ''),
    class: 'framework',
    title: framework,
    props: toProperties({ source: FRAMEWORK_SOURCES[framework] }),
    controls: OBLIGATIONS.filter((obligation) => obligation.framework === framework).map(toControl),
  };
}

function toControl(obligation: Obligation) {
  const { id, reference, title } = obligation;
  return {
    id,
    class: 'obligation',
    title: toLine(title),
    props: [{ name: 'label', value: toLine(reference) }, ...propertiesOf(obligation)],
    parts: [
      { id: `${id}_smt`, name: 'statement', prose: title },
      {
        id: objectiveIdOf(id),
        name: 'assessment-objective',
        prose: `Evidence that supports ${reference} is on record.`,
      },
    ],
  };
}

function propertiesOf(obligation: Obligation): OscalProperty[] {
  const { appliesFrom, transitions, role, riskClasses, amendedBy, status, checked } = obligation;
  const several = (name: string, values: readonly string[]) =>
    values.map((value) => ({ name, ns: OSCAL_NAMESPACE, value: toLine(value) }));
  return [
    ...toProperties({
      'applies-from': appliesFrom,
      'amended-by': amendedBy,
      'draft-stage': status?.stage ?? null,
      'draft-since': status?.since ?? null,
      checked,
    }),
    ...several(
      'applies-later',
      transitions.map(({ scope, appliesFrom: from }) => `${from}: ${scope}`),
    ),
    ...several('role', role),
    ...several('risk-class', riskClasses ?? []),
    ...several('keyword', obligation.keywords),
  ];
}
