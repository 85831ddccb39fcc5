import { de } from './data/knowledge-de.ts';
import { en } from './data/knowledge-en.ts';
import { t } from './index.ts';

/** Words of the pages about the knowledge base, loaded with those pages, because the first load is limited. */
export const knowledgeText = () => (t.language === 'de' ? de : en);
