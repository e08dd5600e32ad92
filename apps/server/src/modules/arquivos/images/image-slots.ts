import { AppError } from '#errors.ts'

/** Runs at most `vagas` jobs at once and queues at most `espera`. Throws `servidorOcupado` when the queue is full. */
export function createImageSlots({ vagas, espera }: { readonly vagas: number; readonly espera: number }) {
  const queue: (() => void)[] = []
  let ocupadas = 0

  return async <T>(run: () => Promise<T>): Promise<T> => {
    if (ocupadas < vagas) ocupadas += 1
    else if (queue.length >= espera) throw new AppError('servidorOcupado')
    // A finished job passes its slot to the next one, so a new call cannot overtake the queue.
    else await new Promise<void>((resolve) => queue.push(resolve))
    try {
      return await run()
    } finally {
      const next = queue.shift()
      if (next === undefined) ocupadas -= 1
      else next()
    }
  }
}
