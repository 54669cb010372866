/** The entry of `@parterre/picker`. On a server the import does nothing; in a browser it defines `<parterre-map>`. */
export { createMap, ParterreMapElement } from '../src/parterre.ts';
