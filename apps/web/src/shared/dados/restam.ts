/**
 * Returns the edits made while a form was being saved: without the values that were sent and have not changed
 * since.
 */
export function unsentEdits<T extends object>(current: T, sent: T): T {
  const resto = { ...current }
  for (const campo in sent) if (resto[campo] === sent[campo]) Reflect.deleteProperty(resto, campo)
  return resto
}
