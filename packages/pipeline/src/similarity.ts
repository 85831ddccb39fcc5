export { similarity } from './truth/similarity.ts';
