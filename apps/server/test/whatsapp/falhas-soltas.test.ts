import { createFakeServer } from '@balcao/whatsapp/rede-falsa'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isWhatsappLibraryRejection } from '#shutdown.ts'

/** Unhandled rejections: those of the WhatsApp library end one connection, all others the process. */

let rede: Awaited<ReturnType<typeof createFakeServer>>
beforeAll(async () => {
  rede = await createFakeServer()
})
afterAll(() => rede.close())

it('recognises an error thrown by the library', async () => {
  // Feeds the library's decoder with an invalid stanza.
  const erro: unknown = await rede.decode(Buffer.from([0, 0xff, 0xff])).catch((motivo: unknown) => motivo)
  expect(erro).toBeInstanceOf(Error)
  expect(isWhatsappLibraryRejection(erro)).toBe(true)
})

it('does not recognise our own errors', () => {
  expect(isWhatsappLibraryRejection(new Error('ours'))).toBe(false)
  expect(isWhatsappLibraryRejection('baileys')).toBe(false)
  expect(isWhatsappLibraryRejection(undefined)).toBe(false)
})
