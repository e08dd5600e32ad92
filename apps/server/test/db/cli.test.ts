import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPool } from '#db/connection.ts'
import { migrate } from '#db/migrate/migrate.ts'
import { runCli as cli } from '#test/db/fixtures/run-cli.ts'
import { queryTarget, startOwner, killOwner, newFolder } from '#test/db/fixtures/owner-process.ts'

let dataDir: string
let root: string

beforeAll(() => {
  dataDir = newFolder()
  root = dirname(dataDir)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('npm run db:export and db:import', () => {
  it('copies beside the running server and moves database, files and marks to a new folder', async () => {
    const [contaId, nome] = [randomUUID(), `${'a'.repeat(32)}.pdf`]
    const first = await startOwner(dataDir)
    const owner = createPool(first.target, { max: 1 })
    await migrate(owner)
    await owner.query(`INSERT INTO tentativas (chave) VALUES ('veio')`)
    await owner.query(
      `WITH c AS (INSERT INTO contas (id, empresa, limite_mensagens_dia, componentes_permitidos) VALUES ($1, 'Loja', 10, '{}'))
       INSERT INTO arquivos (conta_id, nome, uso, tipo, tamanho, criado_em, estado)
       VALUES ($1, $2, 'midia', 'application/pdf', 3, now(), 'pronto')`,
      [contaId, nome],
    )
    await owner.end()
    mkdirSync(join(dataDir, 'arquivos', contaId), { recursive: true })
    writeFileSync(join(dataDir, 'arquivos', contaId, nome), 'pdf')
    writeFileSync(join(dataDir, 'apagados'), 'marcas')
    const copias = join(root, 'copias')
    const key = { BALCAO_BACKUP_CHAVE: 'segredo do cofre' }
    expect(await cli(dataDir, ['copia'], { ...key, COPIA_DIR: copias })).toMatchObject({
      code: 0,
      dito: expect.stringContaining('e 1 arquivos'),
    })
    const copia = readdirSync(copias).find((name) => name.endsWith('.balcao')) ?? ''
    const arquivo = join(copias, copia)
    expect(await cli(dataDir, ['import', arquivo], key)).toMatchObject({
      code: 1,
      dito: expect.stringContaining(`em uso pelo processo ${first.process.pid}`),
    })
    const shops = createPool(first.target, { max: 1 })
    await shops.query(
      `WITH c AS (INSERT INTO contas (id, empresa, limite_mensagens_dia, componentes_permitidos)
         SELECT gen_random_uuid(), 'Loja', 10, '{}' FROM generate_series(1, 2) RETURNING id)
       INSERT INTO usuarios (id, conta_id, nome, email, tipo, status)
       SELECT gen_random_uuid(), id, 'Dona', id || '@loja.test', 'usuario', 'ativo' FROM c`,
    )
    await shops.end()
    const open = { COPIA_DIR: join(root, 'abertas') }
    const refused = { code: 1, dito: expect.stringContaining('mais de uma conta') }
    expect(await cli(dataDir, ['copia'], open)).toMatchObject(refused)
    expect(await cli(dataDir, ['export', join(root, 'aberto.export')], {})).toMatchObject(refused)
    expect(await cli(dataDir, ['copia'], { ...open, COPIA_SEM_CIFRA: 'sim' })).toMatchObject({ code: 0 })
    await killOwner(first, 'SIGTERM')
    expect(await cli(dataDir, ['export', join(root, 'parado.export')], key)).toMatchObject({
      code: 0,
      dito: expect.stringContaining('cifrado com BALCAO_BACKUP_CHAVE'),
    })
    const other = join(root, 'outra')
    expect(await cli(other, ['import', arquivo], key)).toMatchObject({
      code: 0,
      dito: expect.stringMatching(
        /Arquivos restaurados: 1[^]+Importadas \d+ linhas[^]+Nada sai e nenhum bot liga até você decidir/,
      ),
    })
    expect(readFileSync(join(other, 'arquivos', contaId, nome), 'utf8')).toBe('pdf')
    expect(readFileSync(join(other, 'apagados'), 'utf8')).toBe('marcas')
    expect(await cli(other, ['import', arquivo], key)).toMatchObject({
      code: 1,
      dito: expect.stringContaining('não está vazio'),
    })
    expect(existsSync(join(other, 'postgres', 'postmaster.pid'))).toBe(false)
    const terceiro = await startOwner(dataDir)
    expect(await queryTarget(terceiro.target, 'SELECT cifrada FROM copias_seguranca ORDER BY id')).toEqual([
      { cifrada: true },
      { cifrada: false },
      { cifrada: true },
    ])
    await killOwner(terceiro, 'SIGTERM')

    const second = await startOwner(other)
    expect(await queryTarget(second.target, 'SELECT chave FROM tentativas')).toEqual([{ chave: 'veio' }])
    const decision = 'SELECT decisao FROM restauracoes'
    expect(await queryTarget(second.target, decision)).toEqual([{ decisao: null }])
    expect(await cli(other, ['liberar'])).toMatchObject({ code: 1, dito: expect.stringContaining('Uso:') })
    // Beside the running server.
    expect(await cli(other, ['liberar', '--enviar'])).toMatchObject({
      code: 0,
      dito: expect.stringContaining('Liberado. Mensagens: 0.'),
    })
    expect(await queryTarget(second.target, decision)).toEqual([{ decisao: 'enviar' }])
    expect(await cli(other, ['liberar', '--descartar'])).toMatchObject({
      code: 1,
      dito: expect.stringContaining('Nenhuma cópia restaurada espera'),
    })
    await killOwner(second, 'SIGTERM')
  })

  it('prints the usage and creates no folder if there is no data', async () => {
    expect(await cli(dataDir, ['apaga', 'x'])).toMatchObject({
      code: 1,
      dito: expect.stringContaining('Uso: npm run db:export'),
    })
    expect(await cli(dataDir, ['export'])).toMatchObject({ code: 1, dito: expect.stringContaining('Uso:') })
    const none = join(root, 'nenhuma')
    expect(await cli(none, ['export', join(root, 'x')])).toMatchObject({
      code: 1,
      dito: expect.stringContaining('Não há dados'),
    })
    expect(await cli(none, ['import', join(root, 'x')])).toMatchObject({
      code: 1,
      dito: expect.stringContaining('não existe'),
    })
    expect(await cli(none, ['import', join(root, 'x'), '--outra'])).toMatchObject({
      code: 1,
      dito: expect.stringContaining('[--ligar]'),
    })
    expect(existsSync(none)).toBe(false)
  })
})
