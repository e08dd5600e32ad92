export function focusIaField(name: string): void {
  // Runs before the error renders: the field exists before and after it.
  const [campo] = document.getElementsByName(name)
  campo?.focus()
  campo?.scrollIntoView({ block: 'center' })
}
