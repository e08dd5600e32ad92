import { AppError } from '#errors.ts'

/** Lets `vagas` pieces of work run at once and `espera` wait; beyond that, `servidorOcupado`. */
export function createVagas({ vagas, espera }: { readonly vagas: number; readonly espera: number }) {
  const fila: (() => void)[] = []
  let ocupadas = 0

  return async <T>(fazer: () => Promise<T>): Promise<T> => {
    if (ocupadas < vagas) ocupadas += 1
    else if (fila.length >= espera) throw new AppError('servidorOcupado')
    // Whoever ends hands its place over: it is never free in between.
    else await new Promise<void>((resolve) => fila.push(resolve))
    try {
      return await fazer()
    } finally {
      const proximo = fila.shift()
      if (proximo === undefined) ocupadas -= 1
      else proximo()
    }
  }
}
