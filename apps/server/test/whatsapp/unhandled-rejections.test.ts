import { createFakeServer } from '@balcao/whatsapp/rede-falsa'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isWhatsappLibraryRejection } from '#shutdown.ts'

/** Unhandled rejections: those of the WhatsApp library end one connection, all others the process. */

let network: Awaited<ReturnType<typeof createFakeServer>>
beforeAll(async () => {
  network = await createFakeServer()
})
afterAll(() => network.close())

it('recognises an error thrown by the library', async () => {
  // Feeds the library's decoder with an invalid stanza.
  const error: unknown = await network.decode(Buffer.from([0, 0xff, 0xff])).catch((motivo: unknown) => motivo)
  expect(error).toBeInstanceOf(Error)
  expect(isWhatsappLibraryRejection(error)).toBe(true)
})

it('does not recognise our own errors', () => {
  expect(isWhatsappLibraryRejection(new Error('ours'))).toBe(false)
  expect(isWhatsappLibraryRejection('baileys')).toBe(false)
  expect(isWhatsappLibraryRejection(undefined)).toBe(false)
})
