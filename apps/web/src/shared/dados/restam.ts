/**
 * What was edited while a form was on its way to the server: the edits of now without those that were sent and are still the
 * same. Whoever goes on typing after Ctrl+S loses nothing.
 */
export function restam<T extends object>(agora: T, enviadas: T): T {
  const resto = { ...agora }
  for (const campo in enviadas) if (resto[campo] === enviadas[campo]) Reflect.deleteProperty(resto, campo)
  return resto
}
