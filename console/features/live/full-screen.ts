// Puts an element on the whole screen, or takes it back.
export async function toggleFullScreen(element: Element | null): Promise<void> {
  if (document.fullscreenElement) await document.exitFullscreen();
  else await element?.requestFullscreen();
}
