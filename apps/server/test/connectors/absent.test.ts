import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CONECTORES } from '@balcao/contract/constants'
import { sistemaStatusRoute } from '@balcao/contract/routes/sistema'
import { createTestApp, type TestApp, waitUntil } from '#test/app.ts'
import { getConfig, givenPerson, type TestPerson } from '#test/builders.ts'

/** A server whose copy has no `packages/whatsapp`. */

const SENTENCE = 'Este conector não está instalado neste servidor.'
const WITHOUT_FOLDER = { whatsappDir: '/nenhuma-pasta' }
let app: TestApp
beforeAll(async () => {
  app = await createTestApp(WITHOUT_FOLDER)
})
afterAll(() => app.close())

async function save(person: TestPerson, fields: Record<string, unknown>) {
  const config = await getConfig(app, person)
  const body = { ...config, whatsapp: { ...config.whatsapp, ...fields } }
  return app.send('PUT', '/config', { token: person.token, body })
}

/** Stored while the folder was there. */
async function givenWhatsappConta(): Promise<TestPerson> {
  const person = await givenPerson(app)
  expect((await save(person, { clientId: 'loja' })).status).toBe(200)
  await app.sql(
    `update configuracoes set dados = jsonb_set(dados, '{whatsapp,conector}', '"whatsapp"') where conta_id = $1`,
    [person.contaId],
  )
  return person
}

const botStatus = async ({ token }: TestPerson) => (await app.send('GET', '/bot/status', { token })).body

describe('server without packages/whatsapp', () => {
  it('names its connectors in GET /sistema/status', async () => {
    const { body } = await app.send('GET', '/sistema/status', { token: app.admin.token })
    const present = CONECTORES.filter((name) => !['whatsapp', 'memoria'].includes(name))
    expect(sistemaStatusRoute.response.parse(body).conectores).toEqual(present)
  })

  it('refuses a change to the absent connector at its field', async () => {
    const person = await givenPerson(app)
    const refused = await save(person, { conector: 'whatsapp' })
    expect(refused).toMatchObject({
      status: 400,
      body: { codigo: 'dadosInvalidos', detalhes: [{ caminho: 'whatsapp.conector', mensagem: SENTENCE }] },
    })
    expect((await getConfig(app, person)).whatsapp.conector).toBe('simulador')
  })

  it('saves other fields of a conta that keeps the absent connector', async () => {
    const person = await givenWhatsappConta()
    expect((await save(person, { clientId: 'outra' })).status).toBe(200)
    expect((await getConfig(app, person)).whatsapp).toMatchObject({ conector: 'whatsapp', clientId: 'outra' })
    expect((await save(person, { conector: 'simulador' })).status).toBe(200)
    expect((await save(person, { conector: 'whatsapp' })).status).toBe(400)
  })

  it('restores a version of the absent connector with the connector in force', async () => {
    const person = await givenWhatsappConta()
    expect((await save(person, { conector: 'simulador', clientId: 'nova' })).status).toBe(200)
    const restored = await app.send('POST', '/config/versoes/2/restaurar', { token: person.token, body: {} })
    expect(restored.status).toBe(200)
    expect((await getConfig(app, person)).whatsapp).toMatchObject({ conector: 'simulador', clientId: 'loja' })
  })

  it('shows ERRO with the reason when a bot with the absent connector starts', async () => {
    const person = await givenWhatsappConta()
    await app.send('POST', '/bot/iniciar', { token: person.token })
    const status = await waitUntil(async () => {
      const read = await botStatus(person)
      // The lists of the status are read again within 2 s.
      const isLogged = JSON.stringify(read['logs']).includes('O conector escolhido não está instalado neste servidor.')
      return read['status'] === 'ERRO' && isLogged ? read : null
    })
    expect(status).toMatchObject({ motivo: 'conectorAusente', isRunning: false, inicializado: false, qrCode: null })
  })

  it('shows ERRO for a bot that was connected before the folder was removed', async () => {
    const person = await givenWhatsappConta()
    await app.sql(
      `insert into bots (conta_id, desejado, conector, status, credenciais) values ($1, true, 'whatsapp', 'CONECTADO', '"seladas"')`,
      [person.contaId],
    )
    await waitUntil(async () => (await botStatus(person))['motivo'] === 'conectorAusente')
    await app.send('POST', '/bot/limpar-sessao', { token: person.token })
    expect((await botStatus(person))['status']).toBe('PARADO')
  })

  it('refuses to start with the absent connector as default', async () => {
    const settings = { conectorPadrao: 'whatsapp' } as const
    const started = createTestApp({ ...WITHOUT_FOLDER, database: app.database, settings })
    await expect(started).rejects.toThrow('CONECTOR_PADRAO: conector não instalado')
  })
})
