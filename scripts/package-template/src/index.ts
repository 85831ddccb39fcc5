export { createMemorySampleStorage } from './memory.ts';
export type { SampleStorage } from './storage.ts';
export type { ThingReads, ThingWrites } from './things/storage.ts';
export type { ThingOptions, Things } from './things/things.ts';
export { createThings } from './things/things.ts';
export type { NewThing, Thing, ThingChanges } from './things/types.ts';
