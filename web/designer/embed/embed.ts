/** Importing this defines `<parterre-designer>`. A server has no elements, and importing it there does nothing. */
import { ParterreDesignerElement } from './element.ts';

export { ParterreDesignerElement };

const registry = globalThis.customElements as CustomElementRegistry | undefined;
if (registry && !registry.get('parterre-designer')) registry.define('parterre-designer', ParterreDesignerElement);
