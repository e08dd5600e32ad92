export interface Reader {
  /** Next line without its newline. Null if no newline follows within `maximo` bytes. */
  readonly line: (maximo: number) => Promise<string | null>
  readonly bytes: (quantos: number) => AsyncGenerator<Buffer>
  readonly ended: () => Promise<boolean>
}

const NEWLINE = 10

export function createReader(source: AsyncIterable<Buffer>): Reader {
  const chunks = source[Symbol.asyncIterator]()
  let atual: Buffer = Buffer.alloc(0)

  const fill = async (): Promise<boolean> => {
    while (atual.length === 0) {
      const proximo = await chunks.next()
      if (proximo.done === true) return false
      atual = proximo.value
    }
    return true
  }
  const take = (quantos: number): Buffer => {
    const parte = atual.subarray(0, quantos)
    atual = atual.subarray(parte.length)
    return parte
  }

  return {
    ended: async () => !(await fill()),
    bytes: async function* (quantos) {
      for (let faltam = quantos; faltam > 0 && (await fill());) {
        const parte = take(faltam)
        faltam -= parte.length
        yield parte
      }
    },
    line: async (maximo) => {
      const partes: Buffer[] = []
      for (let lidos = 0; lidos <= maximo && (await fill());) {
        const fim = atual.indexOf(NEWLINE)
        const parte = take(fim === -1 ? atual.length : fim + 1)
        partes.push(fim === -1 ? parte : parte.subarray(0, -1))
        lidos += parte.length
        if (fim !== -1) return Buffer.concat(partes).toString()
      }
      return null
    },
  }
}
