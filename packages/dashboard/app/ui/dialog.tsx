import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { t } from '../text/index.ts';

/** A dialog over the page; `onClose` is left out where it must be answered. */
export function Dialog({
  title,
  lead,
  onClose,
  children,
}: {
  readonly title: string;
  readonly lead?: ComponentChildren;
  readonly onClose?: (() => void) | undefined;
  readonly children: ComponentChildren;
}) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    element.current?.showModal();
  }, []);
  return (
    <dialog
      class="dialog"
      ref={element}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
    >
      <div class="dialog-head">
        <div>
          <h2 id={id}>{title}</h2>
          {lead ? <p>{lead}</p> : null}
        </div>
      </div>
      {children}
    </dialog>
  );
}

/** Asks before an act that breaks something in use; the button names the act. */
export function Confirm({
  title,
  lead,
  act,
  busy,
  onConfirm,
  onClose,
}: {
  readonly title: string;
  readonly lead: string;
  readonly act: string;
  readonly busy: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="dialog-body">
        <p>{lead}</p>
      </div>
      <div class="dialog-foot">
        <button class="btn" type="button" onClick={onClose}>
          {t.common.cancel}
        </button>
        <button class="btn btn--destroy" type="button" aria-busy={busy} onClick={onConfirm}>
          {act}
        </button>
      </div>
    </Dialog>
  );
}
