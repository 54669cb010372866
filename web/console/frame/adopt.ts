/** Looks that come with the code of a view or a tab. */
const adopted = new Set<string>();

/** Adds the looks to the page once. */
export function adopt(looks: string): void {
  if (adopted.has(looks)) return;
  adopted.add(looks);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(looks);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
