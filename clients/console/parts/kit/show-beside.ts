const marginPx = 8;

/** Shows what a button opens below it, or above it if there is no room, and within the window. */
export function showBeside(button: HTMLElement, opened: HTMLElement): void {
  opened.showPopover();
  const { width, height } = opened.getBoundingClientRect();
  const at = button.getBoundingClientRect();
  const hasRoom = at.bottom + height + marginPx <= window.innerHeight;
  const left = Math.max(marginPx, Math.min(at.left, window.innerWidth - width - marginPx));
  const top = hasRoom ? at.bottom + 4 : Math.max(marginPx, at.top - height - 4);
  Object.assign(opened.style, { left: `${left}px`, top: `${top}px` });
}
