// Runs the journey in the runtime that runs this file, and prints its result:
// client-program.js FOLDER_OF_CLIENT JSON_OF_OPTIONS
import { journey } from './client-journey.ts';

const [, , folder = '', options = '{}'] = process.argv;
const client = await import(`${folder}/index.js`);
const webhooks = await import(`${folder}/webhooks.js`);
console.log(JSON.stringify(await journey({ client, webhooks }, JSON.parse(options))));
