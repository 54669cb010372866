/** Puts a text on the clipboard. False where the browser refuses: then the person copies the text from its field. */
export async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
