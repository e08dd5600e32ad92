import { createFakeServer } from '@balcao/whatsapp/rede-falsa'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
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

/** Runs a server process that only handles signals, with one unhandled rejection. Resolves with its exit code. */
function runWithRejection(code: string): Promise<number> {
  const program = `
    import { installShutdown } from '#shutdown.ts'
    import queueJob from 'libsignal/src/queue_job.js'
    installShutdown({ error: () => undefined, fatal: () => undefined }, [], () => Promise.resolve())
    setTimeout(() => process.exit(7), 300)
    ${code}`
  const cwd = join(import.meta.dirname, '..', '..')
  return new Promise((resolve) => {
    execFile(process.execPath, ['--input-type=module', '-e', program], { cwd }, (error) => {
      resolve(typeof error?.code === 'number' ? error.code : 0)
    })
  })
}

it('ends the process with 1 when a callback of ours fails inside the library', async () => {
  expect(await runWithRejection(`void queueJob('a', async () => { throw new Error('ours') })`)).toBe(1)
})

it('keeps the process when the library itself fails', async () => {
  expect(await runWithRejection(`void queueJob('a', { name: 'a' })`)).toBe(7)
})
