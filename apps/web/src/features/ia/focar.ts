/** Puts the person in a field of this tab, by its name in the configuration. */
export function focarCampo(nome: string): void {
  // The fault is drawn in this turn; the field is there before and after it.
  const [campo] = document.getElementsByName(nome)
  campo?.focus()
  campo?.scrollIntoView({ block: 'center' })
}
