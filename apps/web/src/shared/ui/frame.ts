/** Removes the frame that `app.html` shows while the scripts load. */
export function removeFrame(): void {
  document.getElementById('quadro')?.remove()
}
