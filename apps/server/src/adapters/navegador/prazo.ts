/** A hanging page never answers, so every call to it has a timeout. */
export class ForaDoPrazo extends Error {}

export async function comPrazo<T>(pedido: Promise<T>, ms: number): Promise<T> {
  const { promise: prazo, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new ForaDoPrazo('o navegador não respondeu a tempo')), ms)
  try {
    return await Promise.race([pedido, prazo])
  } finally {
    clearTimeout(timer)
  }
}
