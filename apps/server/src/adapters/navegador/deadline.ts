/** A hanging page never answers, so every call to it has a timeout. */
export class TimedOut extends Error {}

export async function withTimeout<T>(operation: Promise<T>, ms: number): Promise<T> {
  const { promise: deadline, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new TimedOut('o navegador não respondeu a tempo')), ms)
  try {
    return await Promise.race([operation, deadline])
  } finally {
    clearTimeout(timer)
  }
}
