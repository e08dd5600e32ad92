import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPool } from '#db/connection.ts'
import { checkSealedValues, SEALED_PLACES, resealValues } from '#db/sealed-values.ts'
import { createVault } from '#security/vault.ts'
import { databaseUrl } from '#test/bot/program.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'

const PRIMEIRO = 'k1:um-segredo-que-vai-embora'
const SEGUNDO = 'k2:outro-segredo-que-fica'
const conta = randomUUID()
const email = randomUUID()

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  const vault = createVault(PRIMEIRO)
  const { owner } = database
  await owner.query(
    `insert into contas (id, empresa, limite_mensagens_dia, componentes_permitidos) values ($1, 'Loja', 1000, '{}')`,
    [conta],
  )
  const key = vault.seal('AIza-chave', `configuracoes|dados.gemini.apiKey|${conta}|config`)
  for (const version of [1, 2]) {
    await owner.query(`insert into configuracoes (conta_id, versao, autor, dados) values ($1, $2, 'Ana', $3)`, [
      conta,
      version,
      JSON.stringify({ gemini: { apiKey: version === 1 ? '' : key }, menu: { menuPrincipal: 'selado:k9:x' } }),
    ])
  }
  await owner.query(
    `update configuracoes set dados = jsonb_set(dados, '{ia}', $2) where conta_id = $1 and versao = 2`,
    [conta, { chaves: { openai: vault.seal('sk-chave', `configuracoes|dados.ia.chaves.openai|${conta}|config`) } }],
  )
  await owner.query('insert into bots (conta_id) values ($1)', [conta])
  await owner.query(`insert into whatsapp_chaves (conta_id, tipo, id, valor) values ($1, 'session', 'a.0', $2)`, [
    conta,
    vault.seal('{"chave":1}', `whatsapp_chaves|valor|${conta}|session|a.0`),
  ])
  await owner.query(
    `insert into emails (id, chave, tipo, para, assunto, texto) values ($1, 'x', 'redefinicao', 'a@b.c', 'x', $2)`,
    [email, vault.seal('o link', `emails|texto|${email}`)],
  )
})
afterAll(() => database?.drop())

it('refuses to start with a missing or wrong secret and names the table', async () => {
  await expect(checkSealedValues(database.owner, createVault(PRIMEIRO))).resolves.toBeUndefined()
  await expect(checkSealedValues(database.owner, createVault(`${SEGUNDO},${PRIMEIRO}`))).resolves.toBeUndefined()
  await expect(checkSealedValues(database.owner, createVault(SEGUNDO))).rejects.toThrow('a chave k1 não abre')
  await expect(checkSealedValues(database.owner, createVault('gerado-de-novo-por-engano'))).rejects.toThrow(
    'configuracoes',
  )
})

it('lets only one of two secrets into an empty database', async () => {
  const empty = await createTestDatabase()
  const vaults = ['gerado-no-primeiro-no', 'gerado-no-segundo-no'].map(createVault)
  const outcomes = await Promise.allSettled(vaults.map((vault) => checkSealedValues(empty.owner, vault)))
  const winner = vaults[outcomes.findIndex(({ status }) => status === 'fulfilled')]
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []))
  expect(refused).toEqual([expect.stringContaining('Use o mesmo APP_SECRET')])
  const { rows } = await empty.owner.query('select prova from chaves_em_uso')
  expect(rows).toEqual([{ prova: winner?.fingerprint('chave em uso', 'chaves_em_uso|prova') }])
  await empty.drop()
})

describe('checkSealedValues', () => {
  const emUso = async (): Promise<string[]> =>
    (await database.owner.query<{ prova: string }>('select prova from chaves_em_uso order by 1')).rows.map(
      ({ prova }) => prova.split(':')[0] ?? '',
    )

  it('reads no sealed value while all used keys are known', async () => {
    const other = await database.owner.connect()
    const impatient = createPool(database.target, { max: 1, lockTimeoutMs: 200 })
    try {
      const tables = [...new Set(SEALED_PLACES.map(({ table }) => table))]
      await other.query(`begin; lock table ${tables.join(', ')} in access exclusive mode`)
      await expect(checkSealedValues(impatient, createVault(`${SEGUNDO},${PRIMEIRO}`))).resolves.toBeUndefined()
    } finally {
      await other.query('rollback')
      other.release()
      await impatient.end()
    }
  })

  it('accepts the loss of a key that sealed no value', async () => {
    expect(await emUso()).toEqual(['k1', 'k2'])
    await expect(checkSealedValues(database.owner, createVault(PRIMEIRO))).resolves.toBeUndefined()
  })

  it('refuses the loss of a key that sealed a value after the start', async () => {
    const vault = createVault(`${SEGUNDO},${PRIMEIRO}`)
    const add = `insert into whatsapp_chaves (conta_id, tipo, id, valor) values ($1, 'session', 'b.0', $2)`
    await database.owner.query(add, [conta, vault.seal('{}', `whatsapp_chaves|valor|${conta}|session|b.0`)])
    await expect(checkSealedValues(database.owner, createVault(PRIMEIRO))).rejects.toThrow(
      'há dados guardados em linhas_chaves que a chave k2 não abre. Use o mesmo APP_SECRET',
    )
    await database.owner.query(`delete from whatsapp_chaves where id = 'b.0'`)
  })

  it('finds the keys of values that an older program sealed', async () => {
    await database.owner.query('delete from chaves_em_uso')
    await expect(checkSealedValues(database.owner, createVault(SEGUNDO))).rejects.toThrow('a chave k1 não abre')
    expect(await emUso()).toEqual([])
    await checkSealedValues(database.owner, createVault(`${SEGUNDO},${PRIMEIRO}`))
    expect(await emUso()).toEqual(['k1', 'k2'])
  })
})

it('reseals all values with the newest secret and counts them per old key', async () => {
  const vault = createVault(`${SEGUNDO},${PRIMEIRO}`)
  expect([...(await resealValues(database.owner, vault)).done]).toEqual([['k1', 5]])
  expect([...(await resealValues(database.owner, vault)).done]).toEqual([])
  await expect(checkSealedValues(database.owner, createVault(SEGUNDO))).resolves.toBeUndefined()
  const { rows: used } = await database.owner.query('select prova from chaves_em_uso')
  expect(used).toEqual([{ prova: expect.stringMatching(/^k2:/) }])
  const { rows } = await database.owner.query<{ chave: string; menu: string; openai: string }>(
    `select dados #>> '{gemini,apiKey}' as chave, dados #>> '{menu,menuPrincipal}' as menu,
       dados #>> '{ia,chaves,openai}' as openai from configuracoes where versao = 2`,
  )
  const [{ chave, menu, openai } = { chave: '', menu: '', openai: '' }] = rows
  expect(createVault(SEGUNDO).open(chave, `configuracoes|dados.gemini.apiKey|${conta}|config`)).toBe('AIza-chave')
  expect(createVault(SEGUNDO).open(openai, `configuracoes|dados.ia.chaves.openai|${conta}|config`)).toBe('sk-chave')
  expect(menu).toBe('selado:k9:x')
})

it('lists only sealed values whose tables and columns exist', async () => {
  for (const { table, value, context } of SEALED_PLACES) {
    await expect(database.owner.query(`select ${value}, ${context} from ${table}`)).resolves.toBeDefined()
  }
})

it('reseals with npm run db:reseal before the first start after an upgrade', async () => {
  await database.owner.query(`drop table chaves_em_uso; delete from migracoes where nome = '0121_chaves_em_uso.sql'`)
  await database.owner.query(
    `insert into whatsapp_chaves (conta_id, tipo, id, valor) values ($1, 'session', 'c.0', $2)`,
    [conta, createVault(PRIMEIRO).seal('{}', `whatsapp_chaves|valor|${conta}|session|c.0`)],
  )
  const damaged = `selado:k1:${Buffer.alloc(60).toString('base64')}`
  // More than one batch, and behind the readable value, which the check opens.
  await database.owner.query(
    `insert into whatsapp_chaves (conta_id, tipo, id, valor) select $1, 'pre-key', n::text, $2 from generate_series(1, 600) n`,
    [conta, damaged],
  )
  const folder = await mkdtemp('/tmp/balcao-reseal-')
  const cli = join(import.meta.dirname, '..', '..', 'src', 'cli.ts')
  const env = { ...process.env, DATABASE_URL: databaseUrl(database), DATA_DIR: folder }
  const { stdout } = await promisify(execFile)(process.execPath, [cli, 'reseal'], {
    env: { ...env, APP_SECRET: `${SEGUNDO},${PRIMEIRO}` },
  })
  await rm(folder, { recursive: true })
  expect(stdout).toContain('1 valores da chave k1 foram selados de novo.')
  expect(stdout).toContain('600 valores de linhas_chaves não se abrem')
  const { rows } = await database.owner.query('select distinct valor from whatsapp_chaves where valor like $1', [
    'selado:k1:%',
  ])
  expect(rows).toEqual([{ valor: damaged }])
  await expect(checkSealedValues(database.owner, createVault(SEGUNDO))).resolves.toBeUndefined()
})
