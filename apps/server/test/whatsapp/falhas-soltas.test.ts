import { createServidor } from '@balcao/whatsapp/rede-falsa'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isOfOneLine } from '#shutdown.ts'

/** Failures that nobody looked at: those of the library of WhatsApp end a line, all others the program. */

let rede: Awaited<ReturnType<typeof createServidor>>
beforeAll(async () => {
  rede = await createServidor()
})
afterAll(() => rede.fechar())

it('know a failure that comes out of the library itself', async () => {
  // The library's own decoder, on what is no stanza.
  const erro: unknown = await rede.decodificar(Buffer.from([0, 0xff, 0xff])).catch((motivo: unknown) => motivo)
  expect(erro).toBeInstanceOf(Error)
  expect(isOfOneLine(erro)).toBe(true)
})

it('and end the program for anything of ours', () => {
  expect(isOfOneLine(new Error('ours'))).toBe(false)
  expect(isOfOneLine('baileys')).toBe(false)
  expect(isOfOneLine(undefined)).toBe(false)
})
