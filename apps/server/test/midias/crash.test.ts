import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createDiskFiles } from '#adapters/disk/files.ts'
import { ARQUIVO_CRASH_POINTS } from '#lib/crash-points.ts'
import { sweepArquivos } from '#modules/arquivos/index.ts'
import { untilConnected, phoneMessages, useProgramFixture } from '#test/bot/program.ts'
import { png } from './sample-files.ts'
import { formFile } from '#test/builders.ts'
import { waitUntil } from '#test/app.ts'

const palco = useProgramFixture()

function foto(telefone: string): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries({ telefone, nome: 'Zoé', id: `foto-${telefone}` })) form.set(name, value)
  form.set('arquivo', formFile(png(5_000), 'foto.png'))
  return form
}

describe('server killed while storing a file', () => {
  it('serves no partial file, accepts the repeated message and deletes leftovers', { timeout: 240_000 }, async () => {
    const { database, dataDir, start, prepare } = palco()
    await prepare()
    for (const [vez, point] of ARQUIVO_CRASH_POINTS.entries()) {
      const telefone = `1190000200${vez}`
      const morre = await start(`${point}:1`)
      await untilConnected(morre)
      await expect(morre.request('POST', '/simulador/mensagens', foto(telefone))).rejects.toThrow()
      expect(await morre.exited).toBe('SIGKILL')
      const { rows } = await database.owner.query(`select nome from arquivos where estado = 'pendente'`)
      expect(rows).toHaveLength(1)

      const after = await start()
      await untilConnected(after)
      expect((await fetch(`${after.url}/api/midias/${String(rows[0]?.nome)}`)).status).toBe(404)
      // The status may still be the one that the killed process stored.
      await waitUntil(async () => (await after.request('POST', '/simulador/mensagens', foto(telefone))).status === 202)
      const fotos = (await phoneMessages(after, telefone)).filter(({ midia }) => midia !== undefined)
      expect(fotos).toHaveLength(1)
      const parsed = await fetch(`${after.url}${fotos[0]?.midia?.url}`)
      expect(Buffer.from(await parsed.arrayBuffer()).equals(png(5_000))).toBe(true)
      await after.kill()

      const files = createDiskFiles({ dir: join(dataDir, 'arquivos') })
      const clock = { now: () => new Date(Date.now() + 2 * 3_600_000) }
      expect(await sweepArquivos({ db: database.db, files, clock })).toBe(vez)
      const [conta = ''] = await readdir(join(dataDir, 'arquivos'))
      expect(await readdir(join(dataDir, 'arquivos', conta))).toHaveLength(vez + 1)
    }
  })
})
