/**
 * Puts the cursor into the field of the open chat, or the focus on the title if the person cannot write. On touch always
 * the title: the keyboard would cover the messages.
 */
export function focusChat(): void {
  const writes = matchMedia('(pointer: fine)').matches
  const field = writes ? document.querySelector<HTMLElement>('[data-compositor=livre]') : null
  const target = field ?? document.getElementById('quem')
  target?.focus({ preventScroll: true })
}
