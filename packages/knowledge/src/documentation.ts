import type { GroupDocumentation } from '@probity/core/koa';
import { examples } from './examples.generated.ts';

/** Documentation of the endpoints. */
export const knowledgeDocumentation: GroupDocumentation = {
  examples,
  tags: {
    Knowledge: 'Statements that the organization takes for true, against which texts are held.',
  },
};
