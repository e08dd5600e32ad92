export function createSemaphore(max: number): <T>(fazer: () => Promise<T>) => Promise<T> {
  const espera: (() => void)[] = []
  let livres = max
  return async (fazer) => {
    if (livres > 0) livres -= 1
    else await new Promise<void>((resolve) => espera.push(resolve))
    try {
      return await fazer()
    } finally {
      const proximo = espera.shift()
      if (proximo === undefined) livres += 1
      else proximo()
    }
  }
}
