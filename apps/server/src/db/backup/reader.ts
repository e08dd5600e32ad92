export interface Reader {
  /** Next line without its newline. Null if no newline follows within `maximo` bytes. */
  readonly line: (max: number) => Promise<string | null>
  readonly bytes: (count: number) => AsyncGenerator<Buffer>
  readonly ended: () => Promise<boolean>
}

const NEWLINE = 10

export function createReader(source: AsyncIterable<Buffer>): Reader {
  const chunks = source[Symbol.asyncIterator]()
  let current: Buffer = Buffer.alloc(0)

  const fill = async (): Promise<boolean> => {
    while (current.length === 0) {
      const proximo = await chunks.next()
      if (proximo.done === true) return false
      current = proximo.value
    }
    return true
  }
  const take = (count: number): Buffer => {
    const part = current.subarray(0, count)
    current = current.subarray(part.length)
    return part
  }

  return {
    ended: async () => !(await fill()),
    bytes: async function* (count) {
      for (let faltam = count; faltam > 0 && (await fill());) {
        const part = take(faltam)
        faltam -= part.length
        yield part
      }
    },
    line: async (max) => {
      const parts: Buffer[] = []
      for (let parsed = 0; parsed <= max && (await fill());) {
        const fim = current.indexOf(NEWLINE)
        const part = take(fim === -1 ? current.length : fim + 1)
        parts.push(fim === -1 ? part : part.subarray(0, -1))
        parsed += part.length
        if (fim !== -1) return Buffer.concat(parts).toString()
      }
      return null
    },
  }
}
