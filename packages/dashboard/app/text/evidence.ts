import { de } from './data/evidence-de.ts';
import { en } from './data/evidence-en.ts';
import { t } from './index.ts';

/** Words of the pages about evidence, loaded with those pages, because the first load is limited. */
export const evidenceText = () => (t.language === 'de' ? de : en);
