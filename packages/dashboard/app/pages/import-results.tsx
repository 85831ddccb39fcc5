import type { EvaltoolImport, EvidenceImportResult } from '@probity/client';
import { ProbityError } from '@probity/client';
import { useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { api } from '../api/connection.ts';
import { may } from '../api/session.ts';
import { evidenceText } from '../text/evidence.ts';
import { SystemChoice } from '../ui/evidence-acts.tsx';
import { Forbidden } from '../ui/failure.tsx';
import { FileDrop } from '../ui/file-drop.tsx';
import { FormError, Submit, useSending } from '../ui/form.tsx';
import { toNumber } from '../ui/format.tsx';
import { Link } from '../ui/link.tsx';
import { Page, Section } from '../ui/page.tsx';

const MAX_BYTES = 10_485_760;

/** Imports the results of an evaluation, and lists the stored and the omitted parts. */
export function ImportResultsPage() {
  const text = evidenceText();
  const [result, setResult] = useState<EvidenceImportResult | null>(null);
  return (
    <Page title={text.import.title} lead={text.import.lead}>
      {!may('evidence:write') ? (
        <Forbidden />
      ) : result === null ? (
        <Upload onResult={setResult} />
      ) : (
        <Result result={result} onAgain={() => setResult(null)} />
      )}
    </Page>
  );
}

function Upload({ onResult }: { readonly onResult: (result: EvidenceImportResult) => void }) {
  const text = evidenceText();
  const queries = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const [system, setSystem] = useState('');
  const [storeGradingReason, setStoring] = useState(true);
  const [details, setDetails] = useState<readonly { field: string; message: string }[]>([]);
  const sending = useSending();
  const send = async () => {
    if (file === null) return;
    setDetails([]);
    try {
      const evaltoolOutput = await read(file);
      const aiSystemId = system === '' ? null : system;
      const body = { evaltoolOutput, aiSystemId, storeGradingReason };
      const result = await api.compliance.importEvaltool(body, { timeoutMs: 120_000 });
      await queries.invalidateQueries({ queryKey: ['evidence'] });
      await queries.invalidateQueries({ queryKey: ['coverage'] });
      onResult(result);
    } catch (error) {
      if (error instanceof ProbityError) setDetails(error.details);
      throw error;
    }
  };
  return (
    <form
      class="form stack"
      onSubmit={(event) => {
        event.preventDefault();
        void sending.send(send);
      }}
    >
      <FormError sending={sending} />
      {details.length === 0 ? null : (
        <ul class="small">
          {details.map(({ field, message }) => (
            <li key={field}>
              <code>{field}</code> {message}
            </li>
          ))}
        </ul>
      )}
      <FileDrop
        label={text.import.file}
        lead={text.import.drop}
        accept=".json,application/json"
        onFile={setFile}
      />
      <SystemChoice value={system} onChange={setSystem} />
      <label class="choice">
        <input
          class="tick"
          type="checkbox"
          checked={storeGradingReason}
          onChange={(event) => setStoring(event.currentTarget.checked)}
        />
        <span>{text.import.reasons}</span>
      </label>
      <div class="row">
        <Submit sending={sending}>{text.import.submit}</Submit>
      </div>
    </form>
  );
}

async function read(file: File): Promise<EvaltoolImport['evaltoolOutput']> {
  const text = evidenceText().import;
  if (file.size > MAX_BYTES) throw new Error(text.tooLarge);
  try {
    return JSON.parse(await file.text()) as EvaltoolImport['evaltoolOutput'];
  } catch {
    throw new Error(text.noJson);
  }
}

function Result({
  result,
  onAgain,
}: {
  readonly result: EvidenceImportResult;
  readonly onAgain: () => void;
}) {
  const text = evidenceText().import;
  const [only] = result.evidenceIds.length === 1 ? result.evidenceIds : [];
  return (
    <>
      <Section title={text.stored}>
        <ul class="card card-body stack stack--tight" role="status">
          <li>{text.processed(toNumber(result.totalResultsProcessed))}</li>
          <li>{text.created(toNumber(result.evidenceCreated))}</li>
          <li>{text.links(toNumber(result.obligationLinksCreated))}</li>
        </ul>
      </Section>
      <Section title={text.left}>
        <ul class="card card-body stack stack--tight">
          {result.evidenceSkipped > 0 ? (
            <li>{text.skipped(toNumber(result.evidenceSkipped))}</li>
          ) : null}
          <li>{text.passing}</li>
          <li>{text.texts}</li>
        </ul>
      </Section>
      {result.warnings.length === 0 ? null : (
        <Section title={text.warnings}>
          <ul class="card card-body stack stack--tight">
            {result.warnings.map((warning) => (
              <li key={warning} dir="auto">
                {warning}
              </li>
            ))}
          </ul>
        </Section>
      )}
      <div class="row">
        <button class="btn" type="button" onClick={onAgain}>
          {text.again}
        </button>
        <Link class="btn btn--primary" href={only ? `evidence/${only}` : 'evidence'}>
          {text.open}
        </Link>
      </div>
    </>
  );
}
