/**
 * Colours by Okabe and Ito, distinct for every kind of colour vision. Each category gets a colour by its order, unless
 * the host wants the chart's own colours. The shape also tells the kind of a place (draw/glyphs.ts). Pure.
 */
export const okabeIto = [
  '#0072b2',
  '#d55e00',
  '#009e73',
  '#cc79a7',
  '#56b4e9',
  '#e69f00',
  '#b8a800',
  '#5b5b66',
] as const;

export function categoryColours(categories: readonly { color: string }[], own: boolean): string[] {
  return categories.map(({ color }, index) => {
    if (own && /^#[0-9a-f]{6}$/i.test(color)) return color;
    return okabeIto[index % okabeIto.length]!;
  });
}

export function colourNumber(colour: string): number {
  return Number.parseInt(colour.slice(1), 16);
}

/** `share` of one colour in another, each as a number. */
export function mixed(from: number, to: number, share: number): number {
  let result = 0;
  for (const shift of [16, 8, 0]) {
    const [a, b] = [(from >> shift) & 255, (to >> shift) & 255];
    result |= Math.round(a + (b - a) * share) << shift;
  }
  return result;
}

/** Black or white, whichever is more legible on a colour (the contrast of WCAG 2). */
export function inkOn(colour: number): '#ffffff' | '#14171f' {
  const linear = (shift: number) => {
    const part = ((colour >> shift) & 255) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  const luminance = 0.2126 * linear(16) + 0.7152 * linear(8) + 0.0722 * linear(0);
  return 1.05 / (luminance + 0.05) > (luminance + 0.05) / 0.058 ? '#ffffff' : '#14171f';
}
