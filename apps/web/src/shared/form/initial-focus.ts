/**
 * A `ref` for the field in which a dialog starts, instead of its close button. Not on touch: the keyboard of the
 * screen would cover the dialog.
 */
export function initialFocus(field: HTMLElement | null): void {
  field?.toggleAttribute('autofocus', matchMedia('(pointer: fine)').matches)
}
