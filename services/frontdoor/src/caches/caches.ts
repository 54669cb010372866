/** Bounded caches in front of the catalog, and of the files of pages; waits of requests for shared work. */
export { type Assets, createAssets } from './assets.ts';
export { createBytesCache } from './bytes-cache.ts';
export { type ChartDocuments, createChartDocuments, packDocument } from './chart-documents.ts';
export { type CredentialCache, createCredentialCache, type From, type LookupGate } from './credential-cache.ts';
export { createDemoKeys, type DemoKeys } from './demo-keys.ts';
export { createEventWords, type EventWords } from './event-words.ts';
export { createGroupsCache, type GroupsCache } from './groups.ts';
export { createPageFiles, type PageFile, type PageFiles } from './page-files.ts';
export { createPublicCharts, type PublicChart, type PublicChartFacts, type PublicCharts } from './public-charts.ts';
export { createSeasonsCache, type SeasonsCache } from './seasons.ts';
export { untilDeadline } from './until-deadline.ts';
