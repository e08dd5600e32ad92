export function focarCampo(nome: string): void {
  // Runs before the error renders: the field exists before and after it.
  const [campo] = document.getElementsByName(nome)
  campo?.focus()
  campo?.scrollIntoView({ block: 'center' })
}
