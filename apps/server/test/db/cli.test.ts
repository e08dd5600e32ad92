import { spawn } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPool } from '#db/connection.ts'
import { migrate } from '#db/migrate.ts'
import { queryTarget, startOwner, killOwner, newFolder } from './fixtures/processos.ts'

const CLI = join(import.meta.dirname, '..', '..', 'src', 'db', 'cli.ts')

interface Fim {
  readonly code: number | null
  readonly dito: string
}

function cli(dataDir: string, args: readonly string[], env: Record<string, string> = {}): Promise<Fim> {
  return new Promise((resolve) => {
    const { DATABASE_URL: _, ...resto } = process.env
    const filho = spawn(process.execPath, [CLI, ...args], { env: { ...resto, DATA_DIR: dataDir, ...env } })
    let dito = ''
    for (const fluxo of [filho.stdout, filho.stderr]) fluxo.on('data', (parte: Buffer) => (dito += parte.toString()))
    filho.on('close', (code) => resolve({ code, dito }))
  })
}

let dataDir: string
let raiz: string

beforeAll(() => {
  dataDir = newFolder()
  raiz = dirname(dataDir)
})
afterAll(() => rmSync(raiz, { recursive: true, force: true }))

describe('npm run db:export and db:import', () => {
  it('moves data between folders and refuses a folder in use', async () => {
    const arquivo = join(raiz, 'balcao.export')
    const primeiro = await startOwner(dataDir)
    const owner = createPool(primeiro.target, { max: 1 })
    await migrate(owner)
    await owner.query(`INSERT INTO tentativas (chave) VALUES ('veio')`)
    await owner.end()
    const recusado = await cli(dataDir, ['export', arquivo])
    expect(recusado).toMatchObject({
      code: 1,
      dito: expect.stringContaining(`em uso pelo processo ${primeiro.process.pid}`),
    })
    await killOwner(primeiro, 'SIGTERM')

    const chave = { BALCAO_BACKUP_CHAVE: 'segredo do cofre' }
    const saiu = await cli(dataDir, ['export', arquivo], chave)
    expect(saiu).toMatchObject({ code: 0, dito: expect.stringContaining('cifrado com BALCAO_BACKUP_CHAVE') })
    const outra = join(raiz, 'outra')
    expect(await cli(outra, ['import', arquivo], chave)).toMatchObject({
      code: 0,
      dito: expect.stringContaining('Importadas 2 linhas'),
    })
    expect(await cli(outra, ['import', arquivo], chave)).toMatchObject({
      code: 1,
      dito: expect.stringContaining('não está vazio'),
    })
    expect(existsSync(join(outra, 'postgres', 'postmaster.pid'))).toBe(false)
    const terceiro = await startOwner(dataDir)
    expect(await queryTarget(terceiro.target, 'SELECT cifrada FROM copias_seguranca')).toEqual([{ cifrada: true }])
    await killOwner(terceiro, 'SIGTERM')

    const segundo = await startOwner(outra)
    expect(await queryTarget(segundo.target, 'SELECT chave FROM tentativas')).toEqual([{ chave: 'veio' }])
    await killOwner(segundo, 'SIGTERM')
  })

  it('prints the usage and creates no folder if there is no data', async () => {
    expect(await cli(dataDir, ['apaga', 'x'])).toMatchObject({
      code: 1,
      dito: expect.stringContaining('Uso: npm run db:export'),
    })
    expect(await cli(dataDir, ['export'])).toMatchObject({ code: 1, dito: expect.stringContaining('Uso:') })
    const nenhuma = join(raiz, 'nenhuma')
    expect(await cli(nenhuma, ['export', join(raiz, 'x')])).toMatchObject({
      code: 1,
      dito: expect.stringContaining('Não há dados'),
    })
    expect(await cli(nenhuma, ['import', join(raiz, 'x')])).toMatchObject({
      code: 1,
      dito: expect.stringContaining('não existe'),
    })
    expect(existsSync(nenhuma)).toBe(false)
  })
})
