/** Says something to screen readers, without moving the focus. `main.tsx` puts the region into the page. */
export function announce(text: string): void {
  const region = document.getElementById('announced');
  if (!region) return;
  region.textContent = '';
  // A reader notices a change only if the region was empty before.
  setTimeout(() => {
    region.textContent = text;
  }, 50);
}
