export function focusIaField(name: string): void {
  // Runs before the error renders: the field exists before and after it.
  const [field] = document.getElementsByName(name)
  field?.focus()
  field?.scrollIntoView({ block: 'center' })
}
