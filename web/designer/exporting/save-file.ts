/** Gives a file to the person, as browsers do with downloads. */

/** A browser begins the download at once. The address lives a while longer for those that ask first. */
const ADDRESS_MS = 60_000;

export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), ADDRESS_MS);
}
