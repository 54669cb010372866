/** Labels of places as a person types them: in any case, with commas, lines or spaces between. Pure. */

/** `found` are labels of the chart, `unknown` the typed names that it lacks. A label may have spaces: "Table 1". */
export function wantedLabels(typed: string, labels: readonly string[]): { found: string[]; unknown: string[] } {
  const byName = new Map(labels.map((label) => [label.toLowerCase(), label]));
  const found = new Set<string>();
  const unknown: string[] = [];
  for (const part of typed.split(/[,;\n]+/).map((each) => each.trim())) {
    const whole = byName.get(part.toLowerCase());
    const names = whole === undefined ? part.split(/\s+/).filter((name) => name !== '') : [part];
    for (const name of names) {
      const label = byName.get(name.toLowerCase());
      if (label === undefined) unknown.push(name);
      else found.add(label);
    }
  }
  return { found: [...found], unknown };
}
