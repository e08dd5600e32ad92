/**
 * Returns the edits made while a form was being saved: without the values that were sent and have not changed
 * since.
 */
export function unsentEdits<T extends object>(current: T, sent: T): T {
  const rest = { ...current }
  for (const field in sent) if (rest[field] === sent[field]) Reflect.deleteProperty(rest, field)
  return rest
}
