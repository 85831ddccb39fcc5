import { useEffect } from 'preact/hooks';
import { t } from '../text/index.ts';

/** Asks before the page is left while a form holds unsaved text. */
export function useGuardedForm(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    const askAtLink = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
      if (!link || confirm(t.common.unsaved)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    addEventListener('beforeunload', ask);
    document.addEventListener('click', askAtLink, { capture: true });
    return () => {
      removeEventListener('beforeunload', ask);
      document.removeEventListener('click', askAtLink, { capture: true });
    };
  }, [isUnsaved]);
}
