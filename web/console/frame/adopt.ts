/**
 * The looks of views and tabs, each once, in every place where the console is drawn: the page of the console, or the
 * shadow of an element in another page. Looks that come with code that is loaded later reach every place, too.
 */
const sheets: CSSStyleSheet[] = [];
const adopted = new Set<string>();
const places = new Set<DocumentOrShadowRoot>();

/** Adds looks once, however often a view asks for them. */
export function adopt(css: string): void {
  if (adopted.has(css)) return;
  adopted.add(css);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  sheets.push(sheet);
  for (const place of places) place.adoptedStyleSheets = [...place.adoptedStyleSheets, sheet];
}

/** From now on the place has all looks. The returned function ends this. */
export function dress(place: DocumentOrShadowRoot): () => void {
  places.add(place);
  place.adoptedStyleSheets = [...place.adoptedStyleSheets, ...sheets];
  return () => {
    places.delete(place);
    place.adoptedStyleSheets = place.adoptedStyleSheets.filter((sheet) => !sheets.includes(sheet));
  };
}
