/**
 * Returns the edits made while a form was being saved: without the values that were sent and have not changed
 * since.
 */
export function restam<T extends object>(agora: T, enviadas: T): T {
  const resto = { ...agora }
  for (const campo in enviadas) if (resto[campo] === enviadas[campo]) Reflect.deleteProperty(resto, campo)
  return resto
}
