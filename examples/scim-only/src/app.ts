import { createPeople } from './people.ts';
import { createScim } from './scim.ts';

const { app, db } = createPeople('people.db');
const probity = createScim(db, (token) => (token === process.env.SCIM_TOKEN ? 'acme' : undefined));
await probity.ready();
app.use('/scim', probity.node);
app.listen(Number(process.env.PORT ?? 3000));
