/** Bounded caches in front of the catalog, and of the demo's files. */
export { type Assets, createAssets } from './assets.ts';
export { createBytesCache } from './bytes-cache.ts';
export { type ChartDocuments, createChartDocuments, packDocument } from './chart-documents.ts';
export { createDemoFiles, type DemoFiles } from './demo-files.ts';
export { createLoadingCache } from './loading-cache.ts';
