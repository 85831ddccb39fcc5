import { t } from '../text/index.ts';
import { Link } from '../ui/link.tsx';
import { Page } from '../ui/page.tsx';

/** An address that leads nowhere. */
export function NotFoundPage() {
  return (
    <Page title={t.notFound.title} lead={t.notFound.body}>
      <div>
        <Link class="btn" href="">
          {t.notFound.home}
        </Link>
      </div>
    </Page>
  );
}
