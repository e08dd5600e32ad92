import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { configSchema } from '@balcao/contract/entities/config'
import { mensagemSimuladaSchema } from '@balcao/contract/entities/simulador'
import { createDiskFiles } from '#adapters/disco/files.ts'
import { PONTOS_ARQUIVO } from '#bot/falha.ts'
import { recolherArquivos } from '#modules/arquivos/index.ts'
import { ate } from '#test/bot/house.ts'
import { iniciarPrograma, type Programa } from '#test/bot/programa.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { png } from './amostras.ts'
import { arquivo } from './casa.ts'

const listaSchema = z.object({ mensagens: z.array(mensagemSimuladaSchema) })
const configRespostaSchema = z.object({ config: z.looseObject(configSchema.shape) })

let database: TestDatabase
let dataDir: string
beforeAll(async () => {
  database = await createTestDatabase()
  dataDir = await mkdtemp('/tmp/balcao-queda-')
})
afterAll(async () => {
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

const iniciar = (falha?: string): Promise<Programa> => iniciarPrograma({ database, dataDir, falha })

async function conectado({ pedir }: Programa): Promise<void> {
  await ate(async () => (await pedir('GET', '/bot/status')).body['status'] === 'CONECTADO')
}

function foto(telefone: string): FormData {
  const form = new FormData()
  for (const [nome, valor] of Object.entries({ telefone, nome: 'Zoé', id: `foto-${telefone}` })) form.set(nome, valor)
  form.set('arquivo', arquivo(png(5_000), 'foto.png'))
  return form
}

describe('a server killed while it keeps a file', () => {
  it('shows nothing of it, takes it when it comes again, and sweeps what was left', { timeout: 90_000 }, async () => {
    const primeiro = await iniciar()
    const { config } = configRespostaSchema.parse((await primeiro.pedir('GET', '/config')).body)
    await primeiro.pedir('PUT', '/config', { ...config, whatsapp: { ...config.whatsapp, clientId: 'loja' } })
    await primeiro.pedir('POST', '/bot/iniciar')
    await ate(async () => (await primeiro.pedir('POST', '/simulador/escanear')).status === 200)
    await primeiro.matar()

    for (const [vez, ponto] of PONTOS_ARQUIVO.entries()) {
      const telefone = `1190000200${vez}`
      const morre = await iniciar(`${ponto}:1`)
      await conectado(morre)
      await expect(morre.pedir('POST', '/simulador/mensagens', foto(telefone))).rejects.toThrow()
      expect(await morre.morreu).toBe('SIGKILL')
      const { rows } = await database.owner.query(`select nome from arquivos where estado = 'pendente'`)
      expect(rows).toHaveLength(1)

      const depois = await iniciar()
      await conectado(depois)
      expect((await fetch(`${depois.url}/api/midias/${String(rows[0]?.nome)}`)).status).toBe(404)
      expect((await depois.pedir('POST', '/simulador/mensagens', foto(telefone))).status).toBe(202)
      const { body } = await depois.pedir('GET', `/simulador/mensagens?telefone=${telefone}`)
      const fotos = listaSchema.parse(body).mensagens.filter(({ midia }) => midia !== undefined)
      expect(fotos).toHaveLength(1)
      const lida = await fetch(`${depois.url}${fotos[0]?.midia?.url}`)
      expect(Buffer.from(await lida.arrayBuffer()).equals(png(5_000))).toBe(true)
      await depois.matar()

      const files = createDiskFiles({ dir: join(dataDir, 'arquivos') })
      const clock = { now: () => new Date(Date.now() + 2 * 3_600_000) }
      expect(await recolherArquivos({ db: database.db, files, clock })).toBe(vez)
      const [conta = ''] = await readdir(join(dataDir, 'arquivos'))
      expect(await readdir(join(dataDir, 'arquivos', conta))).toHaveLength(vez + 1)
    }
  })
})
