import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '#test/app.ts'

/** The test database has no statement timeout, so only `limitSearch` ends a statement. */
let app: TestApp
beforeAll(async () => {
  app = await createTestApp({ background: false })
})
afterAll(() => app.close())

describe('limitSearch', () => {
  it.each([
    [
      'contatos',
      '/atendimento/conversas?busca=zq',
      'A busca demorou demais. Escreva mais do nome ou o telefone inteiro.',
    ],
    ['logs', '/logs?busca=zq', 'A busca demorou demais. Escolha um período menor.'],
    ['avaliacoes', '/atendimento/relatorio', 'O relatório demorou demais. Escolha um período menor.'],
  ])('refuses a slow read of %s with 503 and the advice', async (table, path, erro) => {
    const lock = await app.database.owner.connect()
    try {
      await lock.query(`begin; lock table ${table} in access exclusive mode`)
      expect(await app.request('GET', path)).toEqual({ status: 503, body: { erro, codigo: 'servidorOcupado' } })
    } finally {
      await lock.query('rollback')
      lock.release()
    }
    expect((await app.request('GET', path)).status).toBe(200)
  })
})
