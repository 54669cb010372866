/** Bounded caches in front of the catalog, and of the demo's files; waits of requests for shared work. */
export { type Assets, createAssets } from './assets.ts';
export { createBytesCache } from './bytes-cache.ts';
export { type ChartDocuments, createChartDocuments, packDocument } from './chart-documents.ts';
export { type CredentialCache, createCredentialCache, type From, type LookupGate } from './credential-cache.ts';
export { createDemoFiles, type DemoFiles } from './demo-files.ts';
export { createDemoKeys, type DemoKeys } from './demo-keys.ts';
export { createGroupsCache, type GroupsCache } from './groups.ts';
export { createLoadingCache } from './loading-cache.ts';
export { createSeasonsCache, type SeasonsCache } from './seasons.ts';
export { untilDeadline } from './until-deadline.ts';
