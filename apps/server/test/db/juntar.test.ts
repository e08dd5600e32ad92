import { Duplex } from 'node:stream'
import { expect, it } from 'vitest'
import { juntarEscritas } from '#db/juntar.ts'

it('what is sent in one turn leaves together and in order, turn after turn', async () => {
  const saidas: string[] = []
  const stream = new Duplex({
    read: () => undefined,
    write: (parte: Buffer, _codificacao, feito) => {
      saidas.push(parte.toString())
      feito()
    },
    writev: (partes, feito) => {
      saidas.push(partes.map(({ chunk }) => String(chunk)).join(''))
      feito()
    },
  })
  for (const vez of ['um', 'dois']) {
    juntarEscritas(stream)
    stream.write(`begin ${vez}; `)
    juntarEscritas(stream)
    // As the library does by itself for the pieces of one statement.
    stream.cork()
    stream.write('insert; ')
    stream.uncork()
    await Promise.resolve()
    juntarEscritas(stream)
    stream.write('commit')
    expect(saidas).not.toContain(`begin ${vez}; `)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(saidas).toEqual(['begin um; insert; commit', 'begin dois; insert; commit'])
})
