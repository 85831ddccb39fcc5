import { t } from '../text/index.ts';
import { Dialog } from './dialog.tsx';
import { FormError, fieldsOf, Submit, TextArea, useSending } from './form.tsx';

/** Asks for a resolution, and resolves alerts with it. */
export function ResolveDialog({
  title,
  resolve,
  onClose,
}: {
  readonly title: string;
  readonly resolve: (resolution: string) => Promise<unknown>;
  readonly onClose: () => void;
}) {
  const sending = useSending(['resolution']);
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={async (event) => {
          event.preventDefault();
          const { resolution = '' } = fieldsOf(event.currentTarget);
          if (await sending.send(() => resolve(resolution))) onClose();
        }}
      >
        <div class="dialog-body stack">
          <FormError sending={sending} />
          <TextArea
            label={t.alert.resolution}
            name="resolution"
            rows={3}
            required
            hint={t.alert.resolutionHint}
            error={sending.fieldError('resolution')}
          />
        </div>
        <div class="dialog-foot">
          <button class="btn" type="button" onClick={onClose}>
            {t.common.cancel}
          </button>
          <Submit sending={sending}>{title}</Submit>
        </div>
      </form>
    </Dialog>
  );
}
