import type { EvidenceVerification, ExportEvidenceQuery } from '@probity/client';
import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { api, toGeneralUrl } from '../api/connection.ts';
import { evidenceText } from '../text/evidence.ts';
import { reasonOf } from './failure.tsx';
import { Choice, FormError, useSending } from './form.tsx';
import { toNumber } from './format.tsx';
import { Icon } from './icon.tsx';
import { saveFile } from './save-file.ts';
import { say } from './toasts.tsx';

/** Frameworks that evidence can be filtered by, as the API names them. */
export const FRAMEWORKS = [
  'EU AI Act',
  'EU harmonised standards (draft)',
  'NIST AI RMF',
  'NIST AI 600-1',
  'NIST COSAiS (draft)',
  'ISO 42001',
  'SOC 2',
] as const satisfies readonly NonNullable<ExportEvidenceQuery['framework']>[];

type Format = NonNullable<ExportEvidenceQuery['format']>;

/** The first 200 AI systems, to choose one of. */
export function useAiSystems(): readonly (readonly [id: string, name: string])[] {
  const { data } = useQuery({
    queryKey: ['ai-systems', 'choice'],
    queryFn: () => api.compliance.listAiSystems({ limit: 200 }).page(),
  });
  return data?.items.map(({ id, name }) => [id, name] as const) ?? [];
}

/** Chooses the AI system that evidence is about, or none. */
export function SystemChoice({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (id: string) => void;
}) {
  const text = evidenceText();
  const systems = useAiSystems();
  return (
    <Choice
      label={text.import.system}
      values={[['', text.system.none], ...systems]}
      value={value}
      onChange={onChange}
    />
  );
}

/** A menu of exports with the filters of the page, and the report for auditors. */
export function ExportMenu({ filters }: { readonly filters: Readonly<Record<string, string>> }) {
  const text = evidenceText();
  const formats = Object.entries(text.evidence.formats) as [Format, string][];
  const save = async (format: Format) => {
    const name = `evidence.${format === 'oscal' ? 'oscal.json' : format}`;
    try {
      // Lines prove the whole chain, so filters are left out there.
      const query = format === 'jsonl' ? { format } : { ...filters, format };
      await saveFile(name, await api.compliance.exportEvidence(query));
      say(text.evidence.exported(name));
    } catch (error) {
      say(reasonOf(error), true);
    }
  };
  return (
    <>
      <button class="btn" type="button" popovertarget="exports">
        <Icon name="download" />
        {text.evidence.export}
        <Icon name="down" small />
      </button>
      <div class="menu menu--end" id="exports" popover="auto">
        {formats.map(([format, title]) => (
          <button
            class="menu-item"
            type="button"
            key={format}
            popovertarget="exports"
            popovertargetaction="hide"
            onClick={() => void save(format)}
          >
            {title}
          </button>
        ))}
        <Report filters={filters} />
      </div>
    </>
  );
}

function Report({ filters }: { readonly filters: Readonly<Record<string, string>> }) {
  const url = toGeneralUrl('/compliance/report');
  for (const name of ['framework', 'aiSystemId']) {
    if (filters[name]) url.searchParams.set(name, filters[name]);
  }
  return (
    <a
      class="menu-item"
      href={url.href}
      target="_blank"
      rel="noopener"
      onClick={async (event) => {
        event.preventDefault();
        // A call of the client renews a session that has run out, which a link cannot.
        await api.whoami.get();
        open(url, '_blank', 'noopener');
      }}
    >
      {evidenceText().evidence.report}
      <Icon name="external" small />
    </a>
  );
}

/** Verifies the chain of all evidence, and shows its first fault. */
export function VerifyChain() {
  const text = evidenceText();
  const sending = useSending();
  const [found, setFound] = useState<EvidenceVerification | null>(null);
  return (
    <div class="stack stack--tight">
      <div class="row">
        <button
          class="btn"
          type="button"
          aria-busy={sending.isBusy}
          onClick={() =>
            void sending.send(async () => setFound(await api.compliance.verifyEvidence()))
          }
        >
          <Icon name="chain" />
          {text.evidence.verify}
        </button>
      </div>
      <FormError sending={sending} />
      <div role="status">{found === null ? null : <Found found={found} />}</div>
    </div>
  );
}

function Found({ found }: { readonly found: EvidenceVerification }) {
  const text = evidenceText().evidence;
  if (found.fault !== null) {
    const { sequence, reason } = found.fault;
    return (
      <div class="note note--bad">
        <Icon name="bad" />
        <div>
          <p>{text.broken(toNumber(sequence), text.reasons[reason])}</p>
          <p>{text.brokenMore}</p>
        </div>
      </div>
    );
  }
  return (
    <span class="row">
      <span class="good">
        <Icon name="allowed" />
      </span>
      {found.end === null
        ? text.validEmpty
        : text.valid(toNumber(found.records), toNumber(found.end.sequence))}
    </span>
  );
}
