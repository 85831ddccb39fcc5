import { de } from './data/settings-de.ts';
import { en } from './data/settings-en.ts';
import { t } from './index.ts';

/** Words of the settings pages, loaded with the first of them. */
export const words = t.language === 'de' ? de : en;
