import { createServidor } from '@balcao/whatsapp/rede-falsa'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isOfOneLine } from '#shutdown.ts'

/** Unhandled rejections: those of the WhatsApp library end one connection, all others the process. */

let rede: Awaited<ReturnType<typeof createServidor>>
beforeAll(async () => {
  rede = await createServidor()
})
afterAll(() => rede.fechar())

it('recognises an error thrown by the library', async () => {
  // Feeds the library's decoder with an invalid stanza.
  const erro: unknown = await rede.decodificar(Buffer.from([0, 0xff, 0xff])).catch((motivo: unknown) => motivo)
  expect(erro).toBeInstanceOf(Error)
  expect(isOfOneLine(erro)).toBe(true)
})

it('does not recognise our own errors', () => {
  expect(isOfOneLine(new Error('ours'))).toBe(false)
  expect(isOfOneLine('baileys')).toBe(false)
  expect(isOfOneLine(undefined)).toBe(false)
})
