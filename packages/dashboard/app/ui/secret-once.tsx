import { t } from '../text/index.ts';
import { Code } from './copy.tsx';
import { Dialog } from './dialog.tsx';

/** A secret, shown once: only the button closes the dialog. */
export function SecretOnce({
  title,
  lead,
  secret,
  example,
  onClose,
}: {
  readonly title: string;
  readonly lead: string;
  readonly secret: string;
  readonly example?: string | undefined;
  readonly onClose: () => void;
}) {
  return (
    <Dialog title={title} lead={lead}>
      <div class="dialog-body stack">
        <Code title={title} text={secret} />
        {example ? <Code title="curl" text={example} /> : null}
      </div>
      <div class="dialog-foot">
        <button class="btn btn--primary" type="button" onClick={onClose}>
          {t.common.close}
        </button>
      </div>
    </Dialog>
  );
}
