/** The map on the screen, as one file that a page loads beside the sale. */
export { createView, listenToGestures } from './draw/view.ts';
export { createOwnPaint, createPainter } from './painter.ts';
