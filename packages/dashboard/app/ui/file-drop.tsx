import { useId, useRef, useState } from 'preact/hooks';
import { t } from '../text/index.ts';

/** A file that is dropped or chosen. */
export function FileDrop({
  label,
  lead,
  accept,
  onFile,
}: {
  readonly label: string;
  readonly lead: string;
  readonly accept: string;
  readonly onFile: (file: File | null) => void;
}) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [size, setSize] = useState<number | null>(null);
  const take = (file: File | undefined) => {
    setSize(file?.size ?? null);
    onFile(file ?? null);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files are chosen by the field too
    <div
      class={isOver ? 'drop is-over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const files = event.dataTransfer?.files;
        if (!files?.length || !input.current) return;
        input.current.files = files;
        take(files[0]);
      }}
    >
      <label class="strong" for={id}>
        {label}
      </label>
      <p class="hint" id={`${id}-more`}>
        {lead}
      </p>
      <input
        class="input"
        id={id}
        ref={input}
        type="file"
        accept={accept}
        required
        aria-describedby={`${id}-more`}
        onChange={(event) => take(event.currentTarget.files?.[0])}
      />
      {size === null ? null : <p class="hint">{toBytes(size)}</p>}
    </div>
  );
}

function toBytes(bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
  const power = Math.min(3, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return new Intl.NumberFormat(t.language, {
    style: 'unit',
    unit: units[power] as string,
    maximumFractionDigits: 1,
  }).format(bytes / 1_000 ** power);
}
