/** False in a browser that gives a page no canvas to draw on. Such a page has the list alone. */
export function canDraw(): boolean {
  return document.createElement('canvas').getContext('2d') !== null;
}
